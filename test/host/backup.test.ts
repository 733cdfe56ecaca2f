import { Buffer } from "node:buffer";
import { spawnSync } from "node:child_process";
import { copyFile, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  CHOSEN_KEY,
  installationDirectory,
  MAIN,
  removeInstallation,
  runToEnd,
  Server,
  THIS_RUNTIME,
} from "../harness/server.ts";
import { reportMissing } from "../harness/needs.ts";

const PLUGINS = ["admin", "api_access_token", "ns_cluster", "ns_domain", "ns_domain_group", "user_access_key"];
const WRITERS = 8;
/** The page size of the list that the test compares. */
const MAX_DOMAINS = 1000;

// Each test starts several processes.

let installation: Record<string, string>;
let folder: string;
let file: string;
beforeEach(async () => {
  installation = await installationDirectory(PLUGINS);
  folder = dirname(installation.EDGEHELM_MANIFEST!);
  file = join(folder, "edgehelm.backup");
});
afterEach(() => removeInstallation(installation));

/** Returns the same installation with another data directory, which contains only the key. */
async function otherInstallation(): Promise<Record<string, string>> {
  const data = join(folder, "elsewhere");
  await mkdir(data, { mode: 0o700 });
  await copyFile(join(installation.EDGEHELM_DATA!, "installation.key"), join(data, "installation.key"));
  return { ...installation, EDGEHELM_DATA: data };
}

async function createDomains(server: Server, from: number, to: number): Promise<void> {
  for (let number = from; number < to; number++) {
    const { code } = await server.post("/NSDomainService/createNSDomain", {
      nsClusterId: 1,
      name: `n${number}.example.com`,
    });
    expect(code).toBe(200);
  }
}

async function startServer(environment = installation): Promise<Server> {
  const server = await Server.start({ ...environment, ...CHOSEN_KEY });
  await server.post("/NSClusterService/createNSCluster", { name: "eu", hosts: ["ns1.example.net"] });
  return server;
}

/** Backs up an installation with three domains, which is stopped. */
async function makeBackup(): Promise<void> {
  const server = await startServer();
  await createDomains(server, 0, 3);
  await server.stop();
  expect(await runToEnd(["backup", file], installation)).toMatchObject({ code: 0 });
}

function configurationError(text: RegExp | string) {
  return { code: 78, output: text instanceof RegExp ? expect.stringMatching(text) : expect.stringContaining(text) };
}

describe("backup", () => {
  test("copies a consistent snapshot of a server under load, which restores completely", async () => {
    const server = await startServer();
    await createDomains(server, 0, 200);
    let isDone = false;
    let created = 200;
    const writers = Array.from({ length: WRITERS }, async () => {
      while (!isDone && created < MAX_DOMAINS) await createDomains(server, created, ++created);
    });
    const { code, output } = await runToEnd(["backup", file], installation);
    isDone = true;
    await Promise.all(writers);
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining("verified") });
    const list = { size: 1000 };
    const live = (await server.post("/NSDomainService/listNSDomains", list)).data.nsDomains as { id: number }[];
    expect(await server.stop()).toBe(0);

    const other = await otherInstallation();
    expect(await runToEnd(["restore", file], other)).toMatchObject({ code: 0 });
    const restored = await Server.start(other);
    const { data } = await restored.post("/NSDomainService/listNSDomains", list);
    const count = data.nsDomains.length;
    expect(count).toBeGreaterThanOrEqual(200);
    expect(count).toBeLessThanOrEqual(created);
    // Newest first: only domains created after the snapshot may be missing.
    expect(data.nsDomains).toEqual(live.slice(-count));
    expect((await restored.post("/NSDomainService/countAllNSDomains", {})).data).toEqual({ count });
    expect(await restored.stop()).toBe(0);
  });

  test("is readable by its owner only, names its key and overwrites a file only with --force", async () => {
    await makeBackup();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const before = await readFile(file);
    expect(await runToEnd(["backup", file], installation)).toMatchObject(configurationError("already exists"));
    expect(await readFile(file)).toEqual(before);
    const { code, output } = await runToEnd(["backup", file, "--force"], installation);
    expect(code).toBe(0);
    expect(output).toMatch(/requires installation key [0-9a-f]{16}/);
    expect((await readdir(folder)).sort()).toEqual(["data", "edgehelm.backup", "manifest.json"]);
  });

  test("reports its error and leaves no file behind", async () => {
    expect(await runToEnd(["backup", file], installation)).toMatchObject(
      configurationError(/the database ".*" does not exist/),
    );
    await makeBackup();
    expect(await runToEnd(["backup"], installation)).toMatchObject(
      configurationError("usage: backup <file> [--force]"),
    );
    expect(await runToEnd(["backup", join(folder, "absent", "x")], installation)).toMatchObject(
      configurationError("ENOENT"),
    );
    const remote = { ...installation, EDGEHELM_DATABASE_URL: "libsql://db.example.com?authToken=hidden" };
    const refused = await runToEnd(["backup", file], remote);
    expect(refused).toMatchObject(configurationError(/db\.example\.com is remote: .*provider's tools/));
    expect(refused.output).not.toContain("hidden");
    expect((await readdir(folder)).sort()).toEqual(["data", "edgehelm.backup", "manifest.json"]);
  });

  test("of a killed server contains every acknowledged write", async () => {
    const server = await startServer();
    await createDomains(server, 0, 20);
    process.kill(server.pid, "SIGKILL");
    await server.ended;
    expect(await runToEnd(["backup", file], installation)).toMatchObject({ code: 0 });
    const other = await otherInstallation();
    expect(await runToEnd(["restore", file], other)).toMatchObject({ code: 0 });
    expect(await domainCount(other)).toBe(20);
    // The backup has not changed the database.
    expect(await domainCount(installation)).toBe(20);
  });

  test("does not start on a disk that is too small", async (context) => {
    await makeBackup();
    const small = join(folder, "small");
    await mkdir(small);
    const command = `mount -t tmpfs -o size=256k none "$0" && "$@"; code=$?; ls "$0"; exit $code`;
    const args = ["-rm", "sh", "-c", command, small, ...THIS_RUNTIME, MAIN, "backup", join(small, "x")];
    if (spawnSync("unshare", ["-rm", "sh", "-c", 'mount -t tmpfs none "$0"', small]).status !== 0) {
      reportMissing("the right to mount file systems");
      return context.skip();
    }
    const env = { ...process.env, ...installation };
    const { status, stdout, stderr } = spawnSync("unshare", args, { env, encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 78, stdout: "" });
    expect(stderr).toMatch(/needs about .* MiB, but the disk of ".*small" has only .* free/);
  });
});

describe("restore", () => {
  test("refuses a truncated or damaged backup and changes nothing", async () => {
    await makeBackup();
    const other = await otherInstallation();
    const whole = await readFile(file);
    const flipped = Buffer.from(whole);
    flipped[whole.length >> 1]! ^= 1;
    const cases = [
      [whole.subarray(0, whole.length - 1), "its checksum is missing"],
      [whole.subarray(0, whole.length >> 1), "its checksum is missing"],
      [flipped, "is damaged"],
      [Buffer.alloc(0), "its checksum is missing"],
    ] as const;
    for (const [bytes, message] of cases) {
      await writeFile(file, bytes);
      expect(await runToEnd(["restore", file], other)).toMatchObject(configurationError(message));
    }
    expect(await readdir(other.EDGEHELM_DATA!)).not.toContain("edgehelm.db");
    expect(await runToEnd(["restore", join(folder, "absent")], other)).toMatchObject(
      configurationError(/the backup ".*" does not exist/),
    );
  });

  test("names the required key if the key is missing or another one", async () => {
    await makeBackup();
    const other = await otherInstallation();
    const wrong = { ...other, EDGEHELM_KEY: "11".repeat(32) };
    expect(await runToEnd(["restore", file], wrong))
      .toMatchObject(
        configurationError(/requires installation key [0-9a-f]{16}, but the configured key is [0-9a-f]{16}/),
      );
    const none = { ...installation, EDGEHELM_DATA: join(folder, "empty") };
    const { code, output } = await runToEnd(["restore", file], none);
    expect({ code, output }).toMatchObject({
      code: 0,
      output: expect.stringMatching(/key [0-9a-f]{16} is missing: provide it/),
    });
    expect(await readdir(none.EDGEHELM_DATA)).toEqual(["database.json", "edgehelm.db", "edgehelm.db.lock"]);
  });

  test("refuses to run beside a server, and renames an existing database only with --force", async () => {
    await makeBackup();
    const server = await Server.start(installation);
    expect(await runToEnd(["restore", file, "--force"], installation)).toMatchObject(
      configurationError("is held by process"),
    );
    await createDomains(server, 3, 5);
    // Killed, so that its last writes are only in the write-ahead log.
    process.kill(server.pid, "SIGKILL");
    await server.ended;
    expect(await runToEnd(["restore", file], installation)).toMatchObject(
      configurationError(/the database ".*" already exists; --force renames it/),
    );
    expect(await runToEnd(["restore", file, "--force"], installation)).toMatchObject({ code: 0 });
    const names = await readdir(installation.EDGEHELM_DATA!);
    expect(names.filter((name) => /-(wal|shm)$|holder|restoring/.test(name))).toEqual([]);

    expect(await domainCount(installation)).toBe(3);
    const previous = names.find((name) => name.includes(".before-"))!;
    expect(await domainCount({ ...installation, EDGEHELM_DATABASE_URL: `file:${previous}` })).toBe(5);
  });
});

async function domainCount(environment: Record<string, string>): Promise<number> {
  const server = await Server.start(environment);
  const { data } = await server.post("/NSDomainService/countAllNSDomains", {});
  await server.stop();
  return data.count;
}
