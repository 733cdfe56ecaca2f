import { Buffer } from "node:buffer";
import { spawnSync } from "node:child_process";
import { copyFile, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  CHOSEN_KEY,
  installationDirectory,
  MAIN,
  removeInstallation,
  runToEnd,
  Server,
  THIS_RUNTIME,
} from "../harness/server.ts";

const PLUGINS = ["admin", "api_access_token", "ns_cluster", "ns_domain", "ns_domain_group", "user_access_key"];
const WRITERS = 8;
/** No more than one list shows. */
const MAX_DOMAINS = 1000;

// Each test starts several processes.
vi.setConfig({ testTimeout: 180_000 });

let installation: Record<string, string>;
let folder: string;
let file: string;
beforeEach(async () => {
  installation = await installationDirectory(PLUGINS);
  folder = dirname(installation.EDGEHELM_MANIFEST!);
  file = join(folder, "edgehelm.backup");
});
afterEach(() => removeInstallation(installation));

/** The same installation manifest with another data directory, which holds nothing but the key. */
async function elsewhere(): Promise<Record<string, string>> {
  const data = join(folder, "elsewhere");
  await mkdir(data);
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

async function started(environment = installation): Promise<Server> {
  const server = await Server.start({ ...environment, ...CHOSEN_KEY });
  await server.post("/NSClusterService/createNSCluster", { name: "eu", hosts: ["ns1.example.net"] });
  return server;
}

/** A stopped installation with a backup of itself. */
async function backedUp(): Promise<void> {
  const server = await started();
  await createDomains(server, 0, 3);
  await server.stop();
  expect(await runToEnd(["backup", file], installation)).toMatchObject({ code: 0 });
}

function failed(text: RegExp | string) {
  return { code: 78, output: text instanceof RegExp ? expect.stringMatching(text) : expect.stringContaining(text) };
}

describe("a backup", () => {
  test("of a server that is written to is one moment of it, and restores to the same answers", async () => {
    const server = await started();
    await createDomains(server, 0, 200);
    let isDone = false;
    let made = 200;
    const writers = Array.from({ length: WRITERS }, async () => {
      while (!isDone && made < MAX_DOMAINS) await createDomains(server, made, ++made);
    });
    const { code, output } = await runToEnd(["backup", file], installation);
    isDone = true;
    await Promise.all(writers);
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining("checked") });
    const list = { size: 1000 };
    const live = (await server.post("/NSDomainService/listNSDomains", list)).data.nsDomains as { id: number }[];
    expect(await server.stop()).toBe(0);

    const other = await elsewhere();
    expect(await runToEnd(["restore", file], other)).toMatchObject({ code: 0 });
    const restored = await Server.start(other);
    const { data } = await restored.post("/NSDomainService/listNSDomains", list);
    const count = data.nsDomains.length;
    expect(count).toBeGreaterThanOrEqual(200);
    expect(count).toBeLessThanOrEqual(made);
    // Newest first: what is missing was made later than everything that is there.
    expect(data.nsDomains).toEqual(live.slice(-count));
    expect((await restored.post("/NSDomainService/countAllNSDomains", {})).data).toEqual({ count });
    expect(await restored.stop()).toBe(0);
  });

  test("is for its owner alone, names its key, and never takes another file's place unasked", async () => {
    await backedUp();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const before = await readFile(file);
    expect(await runToEnd(["backup", file], installation)).toMatchObject(failed("exists already"));
    expect(await readFile(file)).toEqual(before);
    const { code, output } = await runToEnd(["backup", file, "--force"], installation);
    expect(code).toBe(0);
    expect(output).toMatch(/you need the installation key [0-9a-f]{16}/);
    expect((await readdir(folder)).sort()).toEqual(["data", "edgehelm.backup", "manifest.json"]);
  });

  test("that cannot be made says why and leaves nothing", async () => {
    expect(await runToEnd(["backup", file], installation)).toMatchObject(failed("there is no database at"));
    await backedUp();
    expect(await runToEnd(["backup"], installation)).toMatchObject(failed("backup takes <file> [--force]"));
    expect(await runToEnd(["backup", join(folder, "absent", "x")], installation)).toMatchObject(failed("ENOENT"));
    const remote = { ...installation, EDGEHELM_DATABASE_URL: "libsql://db.example.com?authToken=hidden" };
    const refused = await runToEnd(["backup", file], remote);
    expect(refused).toMatchObject(failed(/db\.example\.com is remote: .*provider's tools/));
    expect(refused.output).not.toContain("hidden");
    expect((await readdir(folder)).sort()).toEqual(["data", "edgehelm.backup", "manifest.json"]);
  });

  test("of a server that was killed holds what it had answered", async () => {
    const server = await started();
    await createDomains(server, 0, 20);
    process.kill(server.pid, "SIGKILL");
    await server.ended;
    expect(await runToEnd(["backup", file], installation)).toMatchObject({ code: 0 });
    const other = await elsewhere();
    expect(await runToEnd(["restore", file], other)).toMatchObject({ code: 0 });
    expect(await domainCount(other)).toBe(20);
    // It only read: the server finds its database as it left it.
    expect(await domainCount(installation)).toBe(20);
  });

  test("does not begin on a disk that is too small", async (context) => {
    await backedUp();
    const small = join(folder, "small");
    await mkdir(small);
    const command = `mount -t tmpfs -o size=256k none "$0" && "$@"; code=$?; ls "$0"; exit $code`;
    const words = ["-rm", "sh", "-c", command, small, ...THIS_RUNTIME, MAIN, "backup", join(small, "x")];
    if (spawnSync("unshare", ["-rm", "sh", "-c", 'mount -t tmpfs none "$0"', small]).status !== 0) {
      console.warn("SKIPPED: file systems cannot be mounted here");
      return context.skip();
    }
    const env = { ...process.env, ...installation };
    const { status, stdout, stderr } = spawnSync("unshare", words, { env, encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 78, stdout: "" });
    expect(stderr).toMatch(/needs about .* MiB; the disk of ".*small" has room for/);
  });
});

describe("a restore", () => {
  test("refuses what is not a whole backup, and changes nothing", async () => {
    await backedUp();
    const other = await elsewhere();
    const whole = await readFile(file);
    const flipped = Buffer.from(whole);
    flipped[whole.length >> 1]! ^= 1;
    const faults = [
      [whole.subarray(0, whole.length - 1), "it does not end with its checksum"],
      [whole.subarray(0, whole.length >> 1), "it does not end with its checksum"],
      [flipped, "is damaged"],
      [Buffer.alloc(0), "it does not end with its checksum"],
    ] as const;
    for (const [bytes, fault] of faults) {
      await writeFile(file, bytes);
      expect(await runToEnd(["restore", file], other)).toMatchObject(failed(fault));
    }
    expect(await readdir(other.EDGEHELM_DATA!)).not.toContain("edgehelm.db");
    expect(await runToEnd(["restore", join(folder, "absent")], other)).toMatchObject(failed("there is no backup at"));
  });

  test("names the key that it needs when another one, or none, is at hand", async () => {
    await backedUp();
    const other = await elsewhere();
    const wrong = { ...other, EDGEHELM_KEY: "11".repeat(32) };
    expect(await runToEnd(["restore", file], wrong))
      .toMatchObject(failed(/needs the installation key [0-9a-f]{16}, the one at hand is [0-9a-f]{16}/));
    const none = { ...installation, EDGEHELM_DATA: join(folder, "empty") };
    const { code, output } = await runToEnd(["restore", file], none);
    expect({ code, output }).toMatchObject({ code: 0, output: expect.stringMatching(/key [0-9a-f]{16}: put it in/) });
    expect(await readdir(none.EDGEHELM_DATA)).toEqual(["edgehelm.db", "edgehelm.db.lock"]);
  });

  test("refuses while a server runs, and takes the place of a database only when told to, which it keeps", async () => {
    await backedUp();
    const server = await Server.start(installation);
    expect(await runToEnd(["restore", file, "--force"], installation)).toMatchObject(failed("is held by process"));
    await createDomains(server, 3, 5);
    // Killed, so that its last writes are in the write-ahead log only.
    process.kill(server.pid, "SIGKILL");
    await server.ended;
    expect(await runToEnd(["restore", file], installation)).toMatchObject(failed("there is a database"));
    expect(await runToEnd(["restore", file, "--force"], installation)).toMatchObject({ code: 0 });
    const names = await readdir(installation.EDGEHELM_DATA!);
    expect(names.filter((name) => /-(wal|shm)$|holder|restoring/.test(name))).toEqual([]);

    expect(await domainCount(installation)).toBe(3);
    const aside = names.find((name) => name.includes(".before-"))!;
    expect(await domainCount({ ...installation, EDGEHELM_DATABASE_URL: `file:${aside}` })).toBe(5);
  });
});

async function domainCount(environment: Record<string, string>): Promise<number> {
  const server = await Server.start(environment);
  const { data } = await server.post("/NSDomainService/countAllNSDomains", {});
  await server.stop();
  return data.count;
}
