import { spawn } from "node:child_process";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, test } from "vitest";
import {
  CHOSEN_KEY,
  installationDirectory,
  MAIN,
  removeInstallation,
  runToEnd,
  Server,
  THIS_RUNTIME,
} from "../../harness/server.ts";
import { type S3Kind, s3Kinds, S3Server } from "../../servers/s3.ts";

const PLUGINS = [
  ...["admin", "api_access_token", "installation", "ns_cluster", "ns_domain", "ns_domain_group", "user_access_key"],
];
const SECRET = "TEST_S3_SECRET";

let installation: Record<string, string>;
afterEach(() => removeInstallation(installation));

const folder = () => dirname(installation.EDGEHELM_MANIFEST!);
const database = () => join(installation.EDGEHELM_DATA!, "edgehelm.db");

async function configure(backup: object): Promise<void> {
  installation = { ...await installationDirectory(PLUGINS, { backup }), [SECRET]: "S3RVER" };
}

/** Starts the installation with three domains. */
async function startWithDomains(): Promise<Server> {
  const server = await Server.start({ ...installation, ...CHOSEN_KEY });
  await server.post("/NSClusterService/createNSCluster", { name: "eu", hosts: ["ns1.example.net"] });
  for (let number = 0; number < 3; number++) {
    await server.post("/NSDomainService/createNSDomain", { nsClusterId: 1, name: `n${number}.example.com` });
  }
  return server;
}

async function command(...args: string[]): Promise<string> {
  const { code, output } = await runToEnd(args, installation);
  expect({ code, output }).toMatchObject({ code: 0 });
  return output;
}

async function domainCount(): Promise<number> {
  const server = await Server.start(installation);
  const { data } = await server.post("/NSDomainService/countAllNSDomains", {});
  expect(await server.stop()).toBe(0);
  return data.count;
}

async function readyz(server: Server): Promise<string> {
  const response = await fetch(`${server.url}/readyz`);
  return `${response.status} ${await response.text()}`;
}

async function metric(server: Server, name: string): Promise<number> {
  const lines = await server.metrics();
  const value = new RegExp(`^edgehelm_backup_${name} (\\S+)$`, "m").exec(lines)?.[1];
  return value === "+Inf" ? Infinity : Number(value);
}

/** Makes a backup of a running server, checks it, loses the database, and restores it. */
async function survives(address: (name: string) => string): Promise<void> {
  const server = await startWithDomains();
  expect(await readyz(server)).toBe("200 degraded: no backup was made yet\n");
  expect(await metric(server, "age_seconds")).toBe(Infinity);
  const made = await command("backups", "make");
  const name = /^made (edgehelm-\S+\.backup) \(/.exec(made)![1]!;
  expect(await readyz(server)).toBe("200 ok\n");
  expect(await metric(server, "age_seconds")).toBeGreaterThan(0);
  expect(await metric(server, "age_seconds")).toBeLessThan(Infinity);
  expect(await metric(server, "bytes")).toBeGreaterThan(0);
  expect(await metric(server, "check_age_seconds")).toBe(Infinity);
  expect(await command("backups", "check")).toMatch(new RegExp(`^${name} can be restored: \\d+ rows\n`));
  expect(await metric(server, "check_age_seconds")).toBeLessThan(Infinity);
  expect(await metric(server, "check_failed")).toBe(0);
  expect(await command("backups", "list")).toMatch(new RegExp(`^${name}  [\\d.]+ [KM]iB  \\d+ rows  checked 20`));
  expect(await server.stop()).toBe(0);

  for (const source of ["latest", address(name)]) {
    for (const file of [database(), `${database()}-wal`, `${database()}-shm`]) await rm(file, { force: true });
    expect(await command("restore", source)).toContain("restored installation");
    expect(await domainCount()).toBe(3);
  }
}

describe("backups on a schedule", () => {
  test("survive the loss of the database in a folder", async () => {
    await configure({ to: "backups" });
    await survives((name) => join(folder(), "backups", name));
  });

  test.each(s3Kinds())("survive the loss of the database in a bucket of %s", async (kind: S3Kind) => {
    await configure({ to: "backups" });
    await using store = await startStore(kind);
    await survives((name) => `s3://${store.bucket}/one/path/${name}`);
    expect(await command("config", "print")).not.toContain(SECRET);
    const printed = JSON.parse(await command("config", "print"));
    expect(printed.backup.place.secretAccessKey).toBe("(set)");
  });

  test("are jobs that run under leases", async () => {
    await configure({ to: "backups" });
    const server = await startWithDomains();
    for (const job of ["kernel.backup", "kernel.check_backup"]) {
      expect(await server.post("/InstallationService/runInstallationJob", { jobName: job })).toMatchObject({
        code: 200,
      });
    }
    expect(await command("backups", "list")).toMatch(/ checked 20.*\n$/);
    await server.stop();
  });

  test("are explained by their commands if they are not configured", async () => {
    installation = await installationDirectory(PLUGINS);
    expect(await runToEnd(["backups", "make"], installation)).toMatchObject({
      code: 78,
      output: expect.stringContaining('manifest.json has no "backup": see core/guides/backups.md'),
    });
    const server = await Server.start({ ...installation, ...CHOSEN_KEY });
    expect(await readyz(server)).toBe("200 ok\n");
    await server.stop();
  });
});

/** Starts a store and makes it the place of the installation's backups. */
async function startStore(kind: S3Kind): Promise<S3Server> {
  const data = join(folder(), "store");
  await mkdir(data);
  const store = await S3Server.start(kind, data);
  const { endpoint, region, accessKeyId, bucket } = store;
  const s3 = { endpoint, region, accessKeyId, secretAccessKey: `env:${SECRET}` };
  const plugins = PLUGINS.map((use) => ({ use }));
  await writeFile(
    installation.EDGEHELM_MANIFEST!,
    JSON.stringify({ backup: { to: `s3://${bucket}/one/path`, s3 }, plugins }),
  );
  return store;
}

describe("restore of an encrypted backup", () => {
  test("replaces nothing without the right key, or if the backup is damaged", async () => {
    await configure({ to: "backups" });
    const server = await startWithDomains();
    await command("backups", "make");
    await server.stop();
    const [name] = await readdir(join(folder(), "backups"));
    const file = join(folder(), "backups", name!);
    const before = await readFile(database());
    const refused = async (pattern: RegExp, environment = installation) =>
      expect(await runToEnd(["restore", file, "--force"], environment)).toMatchObject({
        code: 78,
        output: expect.stringMatching(pattern),
      });

    await refused(/requires installation key [0-9a-f]{16}, but the configured key is/, {
      ...installation,
      EDGEHELM_KEY: "11".repeat(32),
    });
    await refused(/is encrypted with installation key [0-9a-f]{16}, which is missing/, {
      ...installation,
      EDGEHELM_DATA: join(folder(), "elsewhere"),
    });
    const whole = await readFile(file);
    const damaged = Uint8Array.from(whole);
    damaged[whole.length >> 1]! ^= 1;
    await writeFile(file, damaged);
    await refused(/is damaged or incomplete/);
    await writeFile(file, whole.subarray(0, whole.length - 16));
    await refused(/is damaged or incomplete/);
    expect((await readFile(database())).equals(before)).toBe(true);
    expect((await readdir(installation.EDGEHELM_DATA!)).filter((name) => /before|restoring/.test(name))).toEqual([]);

    await writeFile(file, whole);
    await copyFile(file, join(dirname(file), name!.replace(/edgehelm-\w+/, "edgehelm-00000000")));
    expect(await runToEnd(["restore", "latest", "--force"], installation)).toMatchObject({
      code: 78,
      output: expect.stringContaining("has backups of 2 installations: name the file to restore"),
    });
  });
});

/** `script` of util-linux runs a command on a terminal and prints what that shows. */
test.runIf(process.platform === "linux")(
  "backup and restore show a bar on a terminal, and none without one",
  async () => {
    installation = await installationDirectory(PLUGINS);
    await (await startWithDomains()).stop();
    const file = join(folder(), "a.backup");
    const onTerminal = async (...args: string[]) => {
      const words = [...THIS_RUNTIME, MAIN, ...args].map((word) => `'${word}'`).join(" ");
      const terminal = spawn("script", ["--quiet", "--return", "--command", words, "/dev/null"], {
        env: { ...process.env, ...installation },
        stdio: ["pipe", "pipe", "inherit"],
      });
      return await text(terminal.stdout);
    };
    const full = (task: string) => new RegExp(`\\r${task} \\[#{30}\\] 100 % of [\\d.]+ [KM]iB\\r\\n`);
    expect(await onTerminal("backup", file)).toMatch(full("backup"));
    expect(await onTerminal("restore", file, "--force")).toMatch(full("restore"));
    expect(await command("backup", file, "--force")).not.toContain("#");
    expect(await command("restore", file, "--force")).not.toContain("#");
  },
);
