import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CHOSEN_KEY, installationDirectory, removeInstallation, runToEnd, Server } from "../harness/server.ts";

const PLUGINS = [
  "admin",
  "api_access_token",
  "hello_world",
  "ns_cluster",
  "ns_domain",
  "ns_domain_group",
  "user_access_key",
];
const CONFIGURATION_ERROR = 78;

let installation: Record<string, string>;
beforeEach(async () => {
  installation = await installationDirectory(PLUGINS);
});
afterEach(() => removeInstallation(installation));

describe("a server", () => {
  test("keeps its data through a restart", async () => {
    const first = await Server.start({ ...installation, ...CHOSEN_KEY });
    const { data } = await first.post("/NSClusterService/createNSCluster", { name: "eu", hosts: ["ns1.example.net"] });
    for (const name of ["example.com", "example.org"]) {
      const { code } = await first.post("/NSDomainService/createNSDomain", { nsClusterId: data.nsClusterId, name });
      expect(code).toBe(200);
    }
    expect(await first.stop()).toBe(0);

    const second = await Server.start(installation);
    const { data: listed } = await second.post("/NSDomainService/listNSDomains", {});
    expect((listed.nsDomains as { name: string }[]).map(({ name }) => name)).toEqual(["example.org", "example.com"]);
    expect(second.output).not.toContain("access key");
    expect(await second.stop()).toBe(0);
  });

  test("prints a valid access key on its first start", async () => {
    const server = await Server.start(installation);
    const [, id] = /accessKeyId +(\S+)/.exec(server.output)!;
    const [, secret] = /accessKey +(\S+)/.exec(server.output)!;
    expect(await server.token(id!, secret!)).not.toBe("");
    await server.stop();
  });

  test.each([false, true])(
    "completes accepted calls before it stops, behindProxy %s",
    async (behindProxy) => {
      const manifest = JSON.parse(await readFile(installation.EDGEHELM_MANIFEST!, "utf8"));
      await writeFile(installation.EDGEHELM_MANIFEST!, JSON.stringify({ ...manifest, http: { behindProxy } }));
      const server = await Server.start({ ...installation, ...CHOSEN_KEY });
      await server.post("/HelloWorldService/sayHello", {});
      const admin = { username: "late", password: "correct horse battery" };
      const codes = Array.from(
        { length: 8 },
        (_, index) =>
          server.post("/AdminService/createAdmin", { ...admin, username: `late${index}` }).then(
            ({ code }) => code,
            () => 0,
          ),
      );
      // The eight passwords are hashed sequentially, long after the first response.
      expect(await Promise.race(codes)).toBe(200);
      expect(await server.stop()).toBe(0);
      expect(await Promise.all(codes)).toEqual(Array.from({ length: 8 }, () => 200));
    },
  );
});

describe("the start fails", () => {
  test("if another process holds the database, naming that process", async () => {
    const server = await Server.start(installation);
    const { code, output } = await runToEnd(["start"], installation);
    expect(code).toBe(CONFIGURATION_ERROR);
    expect(output).toMatch(new RegExp(`is held by process ${server.pid} on .* since .*stop it first`));
    await server.stop();
  });

  test("if the database header is damaged, with advice to restore it", async () => {
    await (await Server.start(installation)).stop();
    const path = join(installation.EDGEHELM_DATA!, "edgehelm.db");
    const bytes = await readFile(path);
    bytes.fill(0x41, 0, 100);
    await writeFile(path, bytes);
    const { code, output } = await runToEnd(["start"], installation);
    expect(code).toBe(CONFIGURATION_ERROR);
    expect(output).toMatch(/damaged[\s\S]*backup/);
    expect(await readFile(path)).toEqual(bytes);
  });

  test("if the installation key is wrong", async () => {
    await (await Server.start(installation)).stop();
    const { code, output } = await runToEnd(["start"], { ...installation, EDGEHELM_KEY: "11".repeat(32) });
    expect(code).toBe(CONFIGURATION_ERROR);
    expect(output).toContain("the installation key does not belong to this database");
  });

  test("if a variable is misspelt or a manifest key is unknown, naming it", async () => {
    const misspelt = await runToEnd(["start"], { ...installation, EDGEHELM_HTPP_PORT: "1" });
    expect(misspelt).toMatchObject({
      code: CONFIGURATION_ERROR,
      output: expect.stringContaining("EDGEHELM_HTPP_PORT"),
    });
    await writeFile(installation.EDGEHELM_MANIFEST!, '{"plugins":[],"http":{"prot":1}}');
    const unknown = await runToEnd(["start"], installation);
    expect(unknown).toMatchObject({ code: CONFIGURATION_ERROR, output: expect.stringContaining("http.prot") });
  });

  test("if limits are out of range, naming each range", async () => {
    await writeFile(installation.EDGEHELM_MANIFEST!, '{"plugins":[],"limits":{"calls":0,"headerSeconds":9999}}');
    const { code, output } = await runToEnd(["start"], installation);
    expect(code).toBe(CONFIGURATION_ERROR);
    expect(output).toContain("limits.calls: must be from 1 to 1048576 at once, got 0");
    expect(output).toContain("limits.headerSeconds: must be from 1 to 3600 seconds, got 9999");
    await writeFile(installation.EDGEHELM_MANIFEST!, '{"plugins":[],"limits":{"call":1,"jsonDepth":"deep"}}');
    expect((await runToEnd(["start"], installation)).output).toMatch(/limits\.call: .*did you mean "calls"\?/);
  });

  test("if a port is in use, naming it and releasing the database", async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, "127.0.0.1", resolve));
    const port = String((blocker.address() as { port: number }).port);
    const { code, output } = await runToEnd(["start"], { ...installation, EDGEHELM_HTTP_PORT: port });
    expect({ code, output }).toMatchObject({ code: CONFIGURATION_ERROR, output: expect.stringContaining(port) });
    await new Promise<void>((resolve) => blocker.close(() => resolve()));
    await (await Server.start(installation)).stop();
  });

  test("if requirements are unmet, listing all of them", async () => {
    const incomplete = await installationDirectory(["ns_domain", "not_there"]);
    const { output } = await runToEnd(["start"], incomplete);
    expect(output).toContain('"not_there" is not a plugin');
    await writeFile(incomplete.EDGEHELM_MANIFEST!, '{"plugins":[{"use":"ns_domain"}]}');
    expect((await runToEnd(["start"], incomplete)).output)
      .toContain('plugin "ns_domain" requires contract "ns_cluster", which no enabled plugin provides');
    await removeInstallation(incomplete);
  });
});

test.each([
  [["admin", "user_access_key"], "Add api_access_token"],
  [["admin", "api_access_token"], "Add admin and user_access_key"],
])("a server with %j alone, to which no caller could sign in, does not start", async (plugins, advice) => {
  const closed = await installationDirectory([...plugins, "hello_world"]);
  const { code, output } = await runToEnd(["start"], closed);
  expect({ code, output }).toMatchObject({ code: CONFIGURATION_ERROR, output: expect.stringContaining(advice) });
  await removeInstallation(closed);
});

describe("commands", () => {
  test("migrate, admin create and admin reset work on a stopped installation", async () => {
    expect((await runToEnd(["migrate"], installation)).code).toBe(0);
    const created = await runToEnd(["admin", "create", "grace"], installation);
    expect(created).toMatchObject({ code: 0, output: expect.stringContaining('created admin "grace"') });
    const reset = await runToEnd(["admin", "reset", "grace"], installation);
    expect(reset).toMatchObject({ code: 0, output: expect.stringMatching(/accessKeyId +\S{16}/) });
    expect((await runToEnd(["admin", "reset", "unknown"], installation)).output).toContain(
      'admin "unknown" does not exist',
    );
    const unknown = await runToEnd(["dance"], installation);
    expect(unknown.output).toContain('command "dance" does not exist');
  });
});
