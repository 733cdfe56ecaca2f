import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { CHOSEN_KEY, installationDirectory, removeInstallation, runToEnd, Server } from "../harness/server.ts";
import { Sqld, sqldRuns } from "../servers/sqld.ts";

const PLUGINS = ["admin", "api_access_token", "hello_world", "ns_domain_group", "user_access_key"];
const CONFIGURATION_ERROR = 78;
const WAIT = { timeout: 10_000 };
const KEY = "22".repeat(32);

let installation: Record<string, string>;
beforeEach(async () => {
  installation = await installationDirectory(PLUGINS);
});
afterEach(() => removeInstallation(installation));

describe("a start that cannot be", () => {
  test("is one on a remote database without an installation key", async () => {
    const { code, output } = await runToEnd(["start"], { ...installation, EDGEHELM_DATABASE_URL: "https://db.test" });
    expect(code).toBe(CONFIGURATION_ERROR);
    expect(output).toContain("a remote database needs an installation key: set EDGEHELM_KEY or EDGEHELM_KEY_FILE");
  });

  test("is one on a URL that is no database's", async () => {
    const { code, output } = await runToEnd(["start"], {
      ...installation,
      EDGEHELM_DATABASE_URL: "postgres://db.test/x",
    });
    expect(code).toBe(CONFIGURATION_ERROR);
    expect(output).toContain("database.url: must start with file:, libsql://, https:// or http://");
  });
});

test("a replica of no sensible age stops the start", async () => {
  const database = { replica: { maxAgeMilliseconds: 5 } };
  await writeFile(installation.EDGEHELM_MANIFEST!, JSON.stringify({ plugins: [], database }));
  const { code, output } = await runToEnd(["start"], installation);
  expect(code).toBe(CONFIGURATION_ERROR);
  expect(output).toContain("database.replica.maxAgeMilliseconds: must be 100 to 60000, got 5");
});

test("a token that stands in the manifest itself stops the start", async () => {
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

  async function started(count: number): Promise<Server[]> {
    const servers = await Promise.all(Array.from({ length: count }, () => Server.start(environment)));
    onTestFinished(() => servers.forEach((server) => server.kill()));
    return servers;
  }

  test("start all at once on an empty database, and all serve", async () => {
    const servers = await started(4);
    const firstStarts = servers.filter(({ output }) => output.includes('made the admin "admin"'));
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

  test("refuse within a second what another one turned off, and know each other's tokens", async () => {
    const [one, other] = await started(2) as [Server, Server];
    const { data: key } = await one.post("/UserAccessKeyService/createUserAccessKey", { adminId: 1 });
    const token = await one.token(key.uniqueId, key.secret);
    const call = () => other.postWith(token, "/NSDomainGroupService/findAllNSDomainGroups", {});
    expect((await call()).code).toBe(200);
    const off = { userAccessKeyId: key.userAccessKeyId, isOn: false };
    expect((await one.post("/UserAccessKeyService/updateUserAccessKeyIsOn", off)).code).toBe(200);
    const turnedOff = performance.now();
    let asked = 0;
    let lastAccepted = 0;
    do {
      lastAccepted = asked;
      asked = performance.now() - turnedOff;
    } while ((await call()).code === 200);
    expect(lastAccepted).toBeLessThan(1000);
    expect(await call()).toMatchObject({ code: 401 });
  });

  test("with a replica show at once what they wrote, and soon what others did", async () => {
    const manifest = JSON.parse(await readFile(installation.EDGEHELM_MANIFEST!, "utf8"));
    const database = { replica: { maxAgeMilliseconds: 200 } };
    await writeFile(installation.EDGEHELM_MANIFEST!, JSON.stringify({ ...manifest, database }));
    const data = await mkdtemp(join(tmpdir(), "edgehelm-replica-"));
    onTestFinished(() => rm(data, { recursive: true, force: true }));
    const other = await Server.start(environment);
    const near = await Server.start({ ...environment, EDGEHELM_DATA: data });
    onTestFinished(() => [other, near].forEach((server) => server.kill()));
    const used = (server: Server) => expect.poll(() => server.output, WAIT).toContain("answered by the replica");
    await Promise.all([used(other), used(near)]);
    const create = (server: Server, name: string) =>
      server.post("/NSDomainGroupService/createNSDomainGroup", { name }).then(({ code }) => expect(code).toBe(200));
    const count = async (server: Server) =>
      ((await server.post("/NSDomainGroupService/findAllNSDomainGroups", {})).data.nsDomainGroups as unknown[]).length;
    for (let made = 0; made < 40; made += 2) {
      await create(near, `near ${made}`);
      expect(await count(near)).toBeGreaterThan(made / 2);
      await create(other, `other ${made}`);
    }
    await expect.poll(() => count(near), WAIT).toBe(40);
    await expect.poll(() => count(other), WAIT).toBe(40);
    // a command beside it leaves the copy alone
    const { code } = await runToEnd(["migrate"], { ...environment, EDGEHELM_DATA: data });
    expect(code).toBe(0);
    await near.stop();
    expect(near.output).not.toContain("not the replica");
  });

  test("answer unavailable while the database is gone, and serve again when it is back", async () => {
    const [server] = await started(1) as [Server];
    const create = (name: string) => server.post("/NSDomainGroupService/createNSDomainGroup", { name });
    expect((await create("before")).code).toBe(200);
    await sqld.kill();
    await expect.poll(async () => (await create("during")).code, { timeout: 5000 }).toBe(503);
    expect((await create("during")).message).toMatch(/cannot be (?:reached|found out)/);
    await sqld.restart();
    expect((await create("after")).code).toBe(200);
    const { data } = await server.post("/NSDomainGroupService/findAllNSDomainGroups", {});
    const names = (data.nsDomainGroups as { name: string }[]).map(({ name }) => name);
    expect(names.toSorted()).toEqual(["after", "before"]);
  });

  test("do no harm when one of them stands still for some seconds", { timeout: 60_000 }, async () => {
    const [still, other] = await started(2) as [Server, Server];
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
    const counts = [creating(still, "a"), creating(still, "b"), creating(other, "c")];
    await expect.poll(() => codes.length, { timeout: 10_000 }).toBeGreaterThan(50);
    process.kill(still.pid, "SIGSTOP");
    const stopped = codes.length;
    // once the server has taken the lock from who stands still
    await expect.poll(() => codes.length, { timeout: 20_000 }).toBeGreaterThan(stopped + 50);
    process.kill(still.pid, "SIGCONT");
    const continued = codes.length;
    await expect.poll(() => codes.length, { timeout: 10_000 }).toBeGreaterThan(continued + 50);
    isOver = true;
    const acknowledged = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
    const { data } = await other.post("/NSDomainGroupService/findAllNSDomainGroups", {});
    const names = (data.nsDomainGroups as { name: string }[]).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(codes.filter((code) => code !== 200 && code !== 503 && code !== 504)).toEqual([]);
    expect(names.length).toBeGreaterThanOrEqual(acknowledged);
    expect(names.length - acknowledged).toBeLessThanOrEqual(2);
  });

  test("say so when the database is newer than they are", async () => {
    const [server] = await started(1) as [Server];
    await server.stop();
    const body = { requests: [{ type: "execute", stmt: { sql: NEWER } }, { type: "close" }] };
    await fetch(`${sqld.url}/v2/pipeline`, { method: "POST", body: JSON.stringify(body) });
    const { code, output } = await runToEnd(["start"], environment);
    expect(code).toBe(CONFIGURATION_ERROR);
    expect(output).toContain('plugin "ns_domain_group": the database is newer than this release');
  });
});

const NEWER = "insert into migration_ns_domain_group(name, timestamp) values ('9999_from_the_future', '2030')";
