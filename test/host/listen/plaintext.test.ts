import { readFile, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkPlaintext } from "../../../core/host/listen/plaintext.ts";
import { CHOSEN_KEY, installationDirectory, removeInstallation, runToEnd, Server } from "../../harness/server.ts";

const CONFIGURATION_ERROR = 78;

let installation: Record<string, string>;
beforeEach(async () => {
  installation = { ...await installationDirectory(["admin", "api_access_token", "user_access_key"]), ...CHOSEN_KEY };
});
afterEach(() => removeInstallation(installation));

async function configure(settings: object): Promise<void> {
  const path = installation.EDGEHELM_MANIFEST!;
  await writeFile(path, JSON.stringify({ ...JSON.parse(await readFile(path, "utf8")), ...settings }));
}

function check(http: object, grpc = "127.0.0.1", metrics?: string): string[] {
  const plain = { host: "127.0.0.1", port: 1, errorStatus: "ok", behindProxy: false, corsOrigins: [] } as const;
  return checkPlaintext({
    http: { ...plain, tls: undefined, plaintext: false, ...http },
    grpc: { host: grpc, port: 2 },
    metrics: metrics === undefined ? undefined : { host: metrics, port: 3 },
  });
}

test("a server that other machines reach in plain text does not start, and says which settings help", async () => {
  await configure({ http: { host: "0.0.0.0" }, grpc: { host: "::" } });
  const expected = 'http on 0.0.0.0, grpc on :: would send plain text to other machines: set http.tls, or "http": ' +
    '{"behindProxy": true} if a proxy encrypts, or a host of 127.0.0.1; to allow it, set "http": {"plaintext": true}';
  for (const command of [["start"], ["config", "check"]]) {
    const { code, output } = await runToEnd(command, installation);
    expect({ code, output }).toEqual({ code: CONFIGURATION_ERROR, output: `edgehelm: ${expected}\n` });
  }
  expect((await runToEnd(["doctor"], installation)).output).toContain(`failure  plain text: ${expected}\n`);
});

test("with the setting, it starts and warns", async () => {
  await configure({ http: { host: "0.0.0.0", plaintext: true } });
  const server = await Server.start(installation);
  expect(await server.stop()).toBe(0);
  const [line] = server.output.split("\n").filter((line) => line.includes("plain text"));
  expect(JSON.parse(line!)).toMatchObject({ level: "warn", listeners: "http on 0.0.0.0" });
  expect((await runToEnd(["doctor"], installation)).output).toContain(
    "warning  plain text: http on 0.0.0.0 may be read",
  );
});

test.each(["127.0.0.1", "127.8.9.10", "::1", "localhost", "::ffff:127.0.0.1"])("%s is this machine", (host) => {
  expect(check({ host }, host, host)).toEqual([]);
});

test.each(["0.0.0.0", "::", "192.0.2.1", "10.0.0.1", "2001:db8::1", "api.example.com", ""])(
  "%j is reached by other machines",
  (host) => {
    expect(() => check({ host })).toThrow(`http on ${host} would send plain text`);
    expect(() => check({}, host)).toThrow(`grpc on ${host} would send plain text`);
    expect(check({ host, plaintext: true }, host)).toEqual([`http on ${host}`, `grpc on ${host}`]);
    expect(check({ host, behindProxy: true }, host)).toEqual([]);
    expect(check({ host, tls: { certFile: "a", keyFile: "b" } }, host)).toEqual([]);
  },
);

test("metrics have neither TLS nor a proxy", () => {
  const tls = { certFile: "a", keyFile: "b" };
  expect(() => check({ tls, behindProxy: true }, undefined, "0.0.0.0")).toThrow(
    'metrics on 0.0.0.0 would send plain text to other machines: set metrics.host to 127.0.0.1; to allow it, set "http": ',
  );
  expect(check({ tls, plaintext: true }, undefined, "0.0.0.0")).toEqual(["metrics on 0.0.0.0"]);
});
