import { chmod, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkClock, checkRuntime } from "../../../core/host/doctor/machine_checks.ts";
import { CHOSEN_KEY, installationDirectory, removeInstallation, runToEnd, Server } from "../../harness/server.ts";

const LOGIN = ["admin", "api_access_token", "user_access_key"];

let installation: Record<string, string>;
beforeEach(async () => {
  installation = await installationDirectory(LOGIN);
});
afterEach(() => removeInstallation(installation));

test("a new installation has nothing wrong, and the check creates nothing", async () => {
  const { code, output } = await runToEnd(["doctor"], installation);
  expect({ code, output }).toMatchObject({ code: 0 });
  expect(output).toContain("database: ");
  expect(output.match(/will be created by the first start/g)).toHaveLength(3);
});

test("a running server keeps its ports and its database", async () => {
  const server = await Server.start({ ...installation, ...CHOSEN_KEY });
  const { code, output } = await runToEnd(["doctor"], installation);
  expect({ code, output }).toMatchObject({ code: 0 });
  expect(output).toContain("server: is running");
  await server.stop();
});

test("what would stop the server is named, with what to do", async () => {
  const server = await Server.start({ ...installation, ...CHOSEN_KEY });
  await server.stop();
  const data = installation.EDGEHELM_DATA!;
  await rm(join(data, "installation.key"));
  await chmod(data, 0o755);
  await writeFile(join(data, "edgehelm.db"), "this is no database");
  const other = createServer();
  const port = await new Promise<number>((resolve) =>
    other.listen(0, "127.0.0.1", () => resolve((other.address() as { port: number }).port))
  );
  const { code, output } = await runToEnd(["doctor"], { ...installation, EDGEHELM_HTTP_PORT: `${port}` });
  other.close();
  expect(code).toBe(78);
  expect(output).toMatch(/failure +data directory: .*chmod 700/);
  expect(output).toMatch(/failure +installation key: .*is missing.*put back the copy/);
  expect(output).toMatch(/failure +http: .*is used by another program.*EDGEHELM_HTTP_PORT/);
  expect(output).toMatch(/failure +database: .*is damaged/);
  expect(output).toContain("4 checks failed");
});

test("wrong settings are one failure", async () => {
  await writeFile(installation.EDGEHELM_MANIFEST!, '{"plugins": [], "htpp": {}}');
  const { code, output } = await runToEnd(["doctor"], installation);
  expect(code).toBe(78);
  expect(output).toMatch(/failure +settings: .*htpp/);
});

test("the clock must not be before the last write, and the runtime not too old", () => {
  const now = new Date("2026-05-01T00:00:00Z");
  expect(checkClock(new Date("2026-04-30T00:00:00Z"), now).severity).toBe("ok");
  expect(checkClock(new Date("2026-05-02T00:00:00Z"), now).severity).toBe("failure");
  expect(checkRuntime({ node: "22.1.0" }).severity).toBe("failure");
  expect(checkRuntime({ node: "24.0.0" }).severity).toBe("ok");
});

test("config print shows the settings in effect without secrets, and config check boots every plugin", async () => {
  const remote = { EDGEHELM_DATABASE_TOKEN: "databasesecret", ...CHOSEN_KEY };
  const { output } = await runToEnd(["config", "print"], { ...installation, ...remote });
  const printed = JSON.parse(output);
  expect(printed).toMatchObject({ http: { port: 0 }, database: { token: "(set)" } });
  expect(output).not.toContain("databasesecret");
  expect(output).not.toContain(CHOSEN_KEY.EDGEHELM_ADMIN_ACCESS_KEY);
  expect((await runToEnd(["config", "check"], installation)).output).toContain("is valid: 3 plugins");
  await writeFile(installation.EDGEHELM_MANIFEST!, JSON.stringify({ plugins: [{ use: "admin", config: { x: 1 } }] }));
  const refused = await runToEnd(["config", "check"], installation);
  expect(refused.code).toBe(78);
  expect(refused.output).toContain('the plugin "admin" takes no configuration');
});
