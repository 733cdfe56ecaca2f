import { copyFile, readdir, readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CHOSEN_KEY, installationDirectory, removeInstallation, runToEnd, Server } from "../../harness/server.ts";

const PLUGINS = ["admin", "api_access_token", "ns_cluster", "user_access_key"];
const REFUSED = 78;

let installation: Record<string, string>;
let path: string;
beforeEach(async () => {
  installation = { ...await installationDirectory(PLUGINS), ...CHOSEN_KEY };
  path = join(installation.EDGEHELM_DATA!, "edgehelm.db");
});
afterEach(() => removeInstallation(installation));

async function createCluster(server: Server, name: string): Promise<number> {
  return (await server.post("/NSClusterService/createNSCluster", { name, hosts: [`${name}.example.net`] })).code;
}

async function clusterNames(server: Server): Promise<string[]> {
  const { data } = await server.post("/NSClusterService/listEnabledNSClusters", { size: 100 });
  return (data.nsClusters as { name: string }[]).map(({ name }) => name).sort();
}

async function startAndStop(environment = installation): Promise<string> {
  const server = await Server.start(environment);
  await fetch(`${server.url}/readyz`);
  expect(await server.stop()).toBe(0);
  return server.output;
}

/** Kills a server, so that its write-ahead log stays. */
async function killed(server: Server): Promise<void> {
  process.kill(server.pid, "SIGKILL");
  await server.ended;
}

async function record(): Promise<{ installation: string; checkpoint: number }> {
  return JSON.parse(await readFile(join(dirname(path), "database.json"), "utf8"));
}

describe("a lost database stops the start", () => {
  test("if it is gone, empty or another's, until --new or a restore", async () => {
    const backup = join(dirname(path), "..", "edgehelm.backup");
    await startAndStop();
    const { installation: id } = await record();
    expect(await runToEnd(["backup", backup], installation)).toMatchObject({ code: 0 });
    await rename(path, `${path}.away`);
    const gone = await runToEnd(["start"], installation);
    expect(gone.code).toBe(REFUSED);
    expect(gone.output).toContain(
      `the database "${path}" is gone or empty, but "${
        join(dirname(path), "database.json")
      }" names installation ${id}; ` +
        'put it back, or run "restore <backup>"; "start --new" begins a new installation\n',
    );
    expect(gone.output).not.toContain("    at ");
    await expect(stat(path)).rejects.toThrow("ENOENT");
    expect((await runToEnd(["doctor"], installation)).output).toMatch(/failure +database: .*is gone or empty/);

    await writeFile(path, "");
    expect(await runToEnd(["migrate"], installation)).toMatchObject({ code: REFUSED });
    expect(await runToEnd(["migrate", "--new"], installation)).toMatchObject({ code: 0 });
    const { installation: newId } = await record();
    expect(newId).not.toBe(id);

    await rename(`${path}.away`, path);
    expect(await runToEnd(["start"], installation)).toMatchObject({
      code: REFUSED,
      output: expect.stringContaining(`is of installation ${id}, but`),
    });
    expect(await runToEnd(["restore", backup, "--force"], installation)).toMatchObject({ code: 0 });
    await startAndStop();
    expect((await record()).installation).toBe(id);
    expect(await runToEnd(["start", "--new"], installation)).toMatchObject({
      code: REFUSED,
      output: expect.stringContaining("is the one that belongs here; start without --new"),
    });
  });

  test("if its installation key is the only thing left", async () => {
    await startAndStop();
    for (const name of await readdir(dirname(path))) {
      if (name !== "installation.key") await rm(join(dirname(path), name), { recursive: true });
    }
    const { code, output } = await runToEnd(["start"], installation);
    expect(code).toBe(REFUSED);
    expect(output).toMatch(/is gone or empty, but ".*installation\.key" belongs to one; put it back/);
  });

  test("if it is not the one that EDGEHELM_INSTALLATION names", async () => {
    const expected = { ...installation, EDGEHELM_INSTALLATION: "00000000-0000-4000-8000-000000000000" };
    expect(await runToEnd(["start"], expected)).toMatchObject({
      code: REFUSED,
      output: expect.stringMatching(/is gone or empty, but EDGEHELM_INSTALLATION names installation 0000/),
    });
    await startAndStop();
    expect(await runToEnd(["start"], expected)).toMatchObject({
      code: REFUSED,
      output: expect.stringContaining("but EDGEHELM_INSTALLATION names installation 0000"),
    });
    await startAndStop({ ...installation, EDGEHELM_INSTALLATION: (await record()).installation });
    const malformed = await runToEnd(["start"], { ...installation, EDGEHELM_INSTALLATION: "mine" });
    expect(malformed.output).toMatch(/EDGEHELM_INSTALLATION must be the id of an installation.*got "mine"/);
  });

  test("if it is older than its last checkpoint", async () => {
    await startAndStop();
    await copyFile(path, `${path}.older`);
    const server = await Server.start(installation);
    expect(await createCluster(server, "eu")).toBe(200);
    await server.stop();
    await copyFile(`${path}.older`, path);
    const { code, output } = await runToEnd(["start"], installation);
    expect(code).toBe(REFUSED);
    expect(output).toMatch(/is older than its last checkpoint: it has number \d+, and ".*" has \d+; put the right one/);
    await startAndStop(await accepted());
    await startAndStop();
  });

  /** Accepts the database that is there. */
  async function accepted(): Promise<Record<string, string>> {
    expect(await runToEnd(["migrate", "--new"], installation)).toMatchObject({ code: 0 });
    return installation;
  }
});

test("a write-ahead log that was cut to 100 bytes loses no installation", async () => {
  const server = await Server.start(installation);
  expect(await createCluster(server, "eu")).toBe(200);
  await killed(server);
  const { installation: id } = await record();
  await truncate(`${path}-wal`, Math.min(100, (await stat(`${path}-wal`)).size));
  const chosen = new Set(Object.keys(CHOSEN_KEY));
  const environment = Object.entries(installation).filter(([name]) => !chosen.has(name));
  const output = await startAndStop(Object.fromEntries(environment));
  expect(output).not.toContain("access key");
  expect((await record()).installation).toBe(id);
});

test("an installation from before there was a record is taken up as it is", async () => {
  const server = await Server.start(installation);
  expect(await createCluster(server, "eu")).toBe(200);
  await server.stop();
  const { installation: id } = await record();
  await rm(join(dirname(path), "database.json"));
  const second = await Server.start(installation);
  expect(await clusterNames(second)).toEqual(["eu"]);
  await second.stop();
  expect((await record()).installation).toBe(id);
});

describe("under a running server", () => {
  const CASES: readonly (readonly [string, () => Promise<void>])[] = [
    ["renamed", () => rename(path, `${path}.away`)],
    ["deleted", () => rm(path)],
    ["replaced", async () => {
      await copyFile(path, `${path}.copy`);
      await rename(`${path}.copy`, path);
    }],
    ["without its log", () => rm(`${path}-wal`)],
  ];
  test.each(CASES)("a database file that is %s ends all writes, and /readyz says so", async (_name, lose) => {
    const server = await Server.start(installation);
    expect(await createCluster(server, "eu")).toBe(200);
    await lose();
    const refused = await server.post("/NSClusterService/createNSCluster", { name: "us", hosts: ["ns1.example.net"] });
    expect(refused).toMatchObject({
      code: 503,
      message: expect.stringContaining("the database file was renamed, replaced or deleted while the server runs"),
    });
    const ready = await fetch(`${server.url}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([
      503,
      "not ready: the database file was renamed, replaced or deleted while the server runs\n",
    ]);
    expect(await clusterNames(server)).toEqual(["eu"]);
    await expect.poll(() => server.output).toContain("nothing is written any more");
    await killed(server);
  });

  test("a file with the content of an older copy is noticed", async () => {
    await startAndStop();
    await copyFile(path, `${path}.older`);
    await startAndStop();
    const server = await Server.start(installation);
    await writeFile(path, await readFile(`${path}.older`));
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(503);
    await killed(server);
  });
});

test("check verifies the database while a server uses it, and names the damage", async () => {
  const server = await Server.start(installation);
  await createCluster(server, "eu");
  expect(await runToEnd(["check"], installation)).toMatchObject({
    code: 0,
    output: expect.stringMatching(/checked \d+ tables and \d+ indexes in .*edgehelm\.db \(.*\): no damage/),
  });
  expect(await createCluster(server, "us")).toBe(200);
  expect(await server.stop()).toBe(0);

  const bytes = await readFile(path);
  bytes.fill(0xa5, 20 * 4096, 21 * 4096);
  await writeFile(path, bytes);
  const { code, output } = await runToEnd(["check"], installation);
  expect(code).toBe(REFUSED);
  expect(output).toMatch(/edgehelm\.db" is damaged: .*\n[\s\S]*restore <backup> --force/);
});
