import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { CHOSEN_KEY, installationDirectory, removeInstallation, runToEnd, Server } from "../harness/server.ts";
import { Sqld, sqldRuns } from "../servers/sqld.ts";

const PLUGINS = ["admin", "api_access_token", "hello_world", "ns_domain_group", "user_access_key"];
const CONFIGURATION_ERROR = 78;
const WAIT = { timeout: 300_000 };
const KEY = "22".repeat(32);

let installation: Record<string, string>;
beforeEach(async () => {
  installation = await installationDirectory(PLUGINS);
});
afterEach(() => removeInstallation(installation));

describe("the start fails", () => {
  test("on a remote database without an installation key", async () => {
    const { code, output } = await runToEnd(["start"], { ...installation, EDGEHELM_DATABASE_URL: "https://db.test" });
    expect(code).toBe(CONFIGURATION_ERROR);
    expect(output).toContain("a remote database needs an installation key: set EDGEHELM_KEY or EDGEHELM_KEY_FILE");
  });

  test("on an invalid database URL", async () => {
    const { code, output } = await runToEnd(["start"], {
      ...installation,
      EDGEHELM_DATABASE_URL: "postgres://db.test/x",
    });
    expect(code).toBe(CONFIGURATION_ERROR);
    expect(output).toContain("database.url: must start with file:, libsql://, https:// or http://");
  });
});

test("an invalid maximum age of the replica stops the start", async () => {
  const database = { replica: { maxAgeMilliseconds: 5 } };
  await writeFile(installation.EDGEHELM_MANIFEST!, JSON.stringify({ plugins: [], database }));
  const { code, output } = await runToEnd(["start"], installation);
  expect(code).toBe(CONFIGURATION_ERROR);
  expect(output).toContain("database.replica.maxAgeMilliseconds: must be 100 to 60000, got 5");
});

test("a database token in the manifest itself stops the start", async () => {
  await writeFile(installation.EDGEHELM_MANIFEST!, '{"plugins":[],"database":{"token":"secret"}}');
  const { code, output } = await runToEnd(["start"], installation);
  expect(code).toBe(CONFIGURATION_ERROR);
  expect(output).toContain('database.token: must be a reference, "env:NAME" or "file:/path"');
  expect(output).not.toContain("secret");
});

describe.skipIf(!sqldRuns())("instances on one remote database", () => {
  let sqld: Sqld;
  let environment: Record<string, string>;
  beforeEach(async () => {
    const directory = await mkdtemp(join(tmpdir(), "edgehelm-sqld-"));
    sqld = await Sqld.start(directory);
    environment = { ...installation, ...CHOSEN_KEY, EDGEHELM_KEY: KEY, EDGEHELM_DATABASE_URL: sqld.url };
    return async () => {
      await sqld.kill();
      await rm(directory, { recursive: true, force: true });
    };
  });

  async function startServers(count: number): Promise<Server[]> {
    const servers = await Promise.all(Array.from({ length: count }, () => Server.start(environment)));
    onTestFinished(() => servers.forEach((server) => server.kill()));
    return servers;
  }

  test("can start concurrently on an empty database", async () => {
    const servers = await startServers(4);
    const firstStarts = servers.filter(({ output }) => output.includes('created admin "admin"'));
    expect(firstStarts.length).toBe(1);
    const names = servers.map((_, index) => `group ${index}`);
    await Promise.all(
      servers.map((server, index) =>
        server.post("/NSDomainGroupService/createNSDomainGroup", { name: names[index] }).then(({ code }) =>
          expect(code).toBe(200)
        )
      ),
    );
    for (const server of servers) {
      const { data } = await server.post("/NSDomainGroupService/findAllNSDomainGroups", {});
      expect((data.nsDomainGroups as { name: string }[]).map(({ name }) => name).toSorted()).toEqual(names);
    }
    for (const server of servers) expect(await server.stop()).toBe(0);
  });

  test("accept each other's tokens, and reject a revoked one within a second", async () => {
    const [first, second] = await startServers(2) as [Server, Server];
    const { data: key } = await first.post("/UserAccessKeyService/createUserAccessKey", { adminId: 1 });
    const token = await first.token(key.uniqueId, key.secret);
    const call = () => second.postWith(token, "/NSDomainGroupService/findAllNSDomainGroups", {});
    expect((await call()).code).toBe(200);
    const off = { userAccessKeyId: key.userAccessKeyId, isOn: false };
    expect((await first.post("/UserAccessKeyService/updateUserAccessKeyIsOn", off)).code).toBe(200);
    const revokedAt = performance.now();
    let sentAt = 0;
    let lastAccepted = 0;
    do {
      lastAccepted = sentAt;
      sentAt = performance.now() - revokedAt;
    } while ((await call()).code === 200);
    expect(lastAccepted).toBeLessThan(1000);
    expect(await call()).toMatchObject({ code: 401 });
  });

  test("with a replica see their own writes immediately, and those of others soon", async () => {
    const manifest = JSON.parse(await readFile(installation.EDGEHELM_MANIFEST!, "utf8"));
    const database = { replica: { maxAgeMilliseconds: 200 } };
    await writeFile(installation.EDGEHELM_MANIFEST!, JSON.stringify({ ...manifest, database }));
    const data = await mkdtemp(join(tmpdir(), "edgehelm-replica-"));
    onTestFinished(() => rm(data, { recursive: true, force: true }));
    const other = await Server.start(environment);
    const replicated = await Server.start({ ...environment, EDGEHELM_DATA: data });
    onTestFinished(() => [other, replicated].forEach((server) => server.kill()));
    const used = (server: Server) => expect.poll(() => server.output, WAIT).toContain("replica in use");
    await Promise.all([used(other), used(replicated)]);
    const create = (server: Server, name: string) =>
      server.post("/NSDomainGroupService/createNSDomainGroup", { name }).then(({ code }) => expect(code).toBe(200));
    const count = async (server: Server) =>
      ((await server.post("/NSDomainGroupService/findAllNSDomainGroups", {})).data.nsDomainGroups as unknown[]).length;
    for (let created = 0; created < 40; created += 2) {
      await create(replicated, `near ${created}`);
      expect(await count(replicated)).toBeGreaterThan(created / 2);
      await create(other, `other ${created}`);
    }
    await expect.poll(() => count(replicated), WAIT).toBe(40);
    await expect.poll(() => count(other), WAIT).toBe(40);
    // A command that runs beside the server does not use the replica.
    const { code } = await runToEnd(["migrate"], { ...environment, EDGEHELM_DATA: data });
    expect(code).toBe(0);
    await replicated.stop();
    expect(replicated.output).not.toContain("replica not in use");
  });

  test("are unavailable while the database is down, and recover with it", async () => {
    const [server] = await startServers(1) as [Server];
    const create = (name: string) => server.post("/NSDomainGroupService/createNSDomainGroup", { name });
    expect((await create("before")).code).toBe(200);
    await sqld.kill();
    await expect.poll(async () => (await create("during")).code).toBe(503);
    expect((await create("during")).message).toMatch(/cannot be reached|access token/);
    await sqld.restart();
    expect((await create("after")).code).toBe(200);
    const { data } = await server.post("/NSDomainGroupService/findAllNSDomainGroups", {});
    const names = (data.nsDomainGroups as { name: string }[]).map(({ name }) => name);
    expect(names.toSorted()).toEqual(["after", "before"]);
  });

  test("stay consistent when one of them is suspended for some seconds", async () => {
    const [suspended, other] = await startServers(2) as [Server, Server];
    const codes: number[] = [];
    let isOver = false;
    async function creating(server: Server, label: string): Promise<number> {
      let acknowledged = 0;
      for (let index = 0; !isOver; index++) {
        const { code } = await server.post("/NSDomainGroupService/createNSDomainGroup", { name: `${label} ${index}` });
        codes.push(code);
        if (code === 200) acknowledged++;
      }
      return acknowledged;
    }
    const counts = [creating(suspended, "a"), creating(suspended, "b"), creating(other, "c")];
    await expect.poll(() => codes.length).toBeGreaterThan(50);
    process.kill(suspended.pid, "SIGSTOP");
    const stopped = codes.length;
    // The server takes the lock from the suspended instance first.
    await expect.poll(() => codes.length).toBeGreaterThan(stopped + 50);
    process.kill(suspended.pid, "SIGCONT");
    const resumed = codes.length;
    await expect.poll(() => codes.length).toBeGreaterThan(resumed + 50);
    isOver = true;
    const acknowledged = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    const { data } = await other.post("/NSDomainGroupService/findAllNSDomainGroups", {});
    const names = (data.nsDomainGroups as { name: string }[]).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(codes.filter((code) => code !== 200 && code !== 503 && code !== 504)).toEqual([]);
    expect(names.length).toBeGreaterThanOrEqual(acknowledged);
    expect(names.length - acknowledged).toBeLessThanOrEqual(2);
  });

  test("report that the database is newer than their release", async () => {
    const [server] = await startServers(1) as [Server];
    await server.stop();
    const body = { requests: [{ type: "execute", stmt: { sql: NEWER } }, { type: "close" }] };
    await fetch(`${sqld.url}/v2/pipeline`, { method: "POST", body: JSON.stringify(body) });
    const { code, output } = await runToEnd(["start"], environment);
    expect(code).toBe(CONFIGURATION_ERROR);
    expect(output).toContain('plugin "ns_domain_group": the database is newer than this release');
  });
});

const NEWER = "insert into migration_ns_domain_group(name, timestamp) values ('9999_from_the_future', '2030')";
