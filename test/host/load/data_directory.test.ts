import { execFileSync, spawnSync } from "node:child_process";
import { chmod, chown, mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openDataDirectory } from "../../../core/host/load/data_directory.ts";
import { reportMissing } from "../../harness/needs.ts";
import {
  CHOSEN_KEY,
  installationDirectory,
  MAIN,
  removeInstallation,
  runToEnd,
  Server,
  THIS_RUNTIME,
} from "../../harness/server.ts";

const CONFIGURATION_ERROR = 78;

let installation: Record<string, string>;
let data: string;
beforeEach(async () => {
  installation = { ...await installationDirectory(["admin", "api_access_token", "user_access_key"]), ...CHOSEN_KEY };
  data = installation.EDGEHELM_DATA!;
});
afterEach(() => removeInstallation(installation));

/** Returns the names of everything in the data directory that others than its owner may use. */
async function exposed(): Promise<string[]> {
  const names = ["", ...await readdir(data, { recursive: true })];
  const modes = await Promise.all(names.map(async (name) => (await stat(join(data, name))).mode));
  return names.filter((_name, index) => (modes[index]! & 0o077) !== 0);
}

/** Runs `migrate` after a file system is mounted on the data directory; undefined if that is not allowed. */
async function migrateOn(options: string): Promise<{ status: number | null; stderr: string } | undefined> {
  await mkdir(data, { mode: 0o700 });
  const script = `mount -t tmpfs -o mode=700,${options} none "$0" && "$@"`;
  if (spawnSync("unshare", ["-rm", "sh", "-c", script, data, "true"]).status !== 0) {
    return void reportMissing("the right to mount file systems");
  }
  const args = ["-rm", "sh", "-c", script, data, ...THIS_RUNTIME, MAIN, "migrate"];
  const { status, stderr } = spawnSync("unshare", args, { env: { ...process.env, ...installation }, encoding: "utf8" });
  return { status, stderr };
}

describe("a data directory", () => {
  test("that the server creates is for its owner alone, with every file in it", async () => {
    const previous = process.umask(0o000);
    try {
      const server = await Server.start(installation);
      expect(await exposed()).toEqual([]);
      expect(await readdir(data)).toEqual(expect.arrayContaining(["edgehelm.db", "edgehelm.db-wal", "control.sock"]));
      await server.stop();
      expect(await exposed()).toEqual([]);
    } finally {
      process.umask(previous);
    }
  });

  test.each(["start", "migrate", "restore"])(
    "that others can enter is refused by %s with the command that mends it",
    async (command) => {
      await mkdir(data);
      await chmod(data, 0o755);
      const file = join(data, "backup");
      await writeFile(file, "");
      const args = command === "restore" ? [command, file] : [command];
      const { code, output } = await runToEnd(args, installation);
      expect({ code, output }).toEqual({
        code: CONFIGURATION_ERROR,
        output:
          `edgehelm: other users of this machine can enter the data directory "${data}"; run: chmod 700 ${data}\n`,
      });
      expect(await readdir(data)).toEqual(["backup"]);
      execFileSync("sh", ["-c", output.trim().split("run: ")[1]!]);
      await (await Server.start(installation)).stop();
    },
  );

  test("with a name that a shell would split is quoted in the command", async () => {
    data = join(data, "..", "it's my $data");
    await mkdir(data);
    await chmod(data, 0o750);
    const error = await openDataDirectory(data).then(() => undefined, (error: Error) => error.message);
    execFileSync("sh", ["-c", error!.split("run: ")[1]!]);
    expect((await stat(data)).mode & 0o777).toBe(0o700);
  });

  test("of another user is refused with the command that mends it", async (context) => {
    if (process.geteuid?.() !== 0) {
      reportMissing("the right to change the owner of files");
      return context.skip();
    }
    await mkdir(data, { mode: 0o700 });
    await chown(data, 4711, 4711);
    const { code, output } = await runToEnd(["start"], installation);
    expect(code).toBe(CONFIGURATION_ERROR);
    expect(output).toBe(
      `edgehelm: the data directory "${data}" belongs to user 4711, and this process runs as user 0: run it as ` +
        `user 4711, or run: chown -R 0:${process.getegid!()} ${data}\n`,
    );
    execFileSync("sh", ["-c", output.trim().split("or run: ")[1]!]);
    await (await Server.start(installation)).stop();
  });

  test("that is a file is refused", async () => {
    await writeFile(data, "");
    expect(await runToEnd(["start"], installation)).toEqual({
      code: CONFIGURATION_ERROR,
      output: `edgehelm: the data directory "${data}" is not a directory; set EDGEHELM_DATA to one\n`,
    });
  });

  test("on a read-only file system is one line", async (context) => {
    const result = await migrateOn("ro");
    if (result === undefined) return context.skip();
    expect(result).toEqual({
      status: CONFIGURATION_ERROR,
      stderr: `edgehelm: the data directory "${data}" is on a read-only file system; mount it writable, or set ` +
        "EDGEHELM_DATA to another one\n",
    });
  });

  test.for(["4k", "24k", "64k", "128k", "256k"])("on a disk of %s is one line", async (size, context) => {
    const result = await migrateOn(`size=${size}`);
    if (result === undefined) return context.skip();
    expect(result).toEqual({
      status: CONFIGURATION_ERROR,
      stderr: `edgehelm: no space is left for the data directory "${data}"; free some, or set EDGEHELM_DATA to ` +
        "another disk\n",
    });
  });
});

test("a database outside of the data directory must be readable by its owner alone", async () => {
  const path = join(data, "..", "elsewhere.db");
  const elsewhere = { ...installation, EDGEHELM_DATABASE_URL: `file:${path}` };
  await (await Server.start(elsewhere)).stop();
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await chmod(path, 0o644);
  expect(await runToEnd(["start"], elsewhere)).toMatchObject({
    code: CONFIGURATION_ERROR,
    output: expect.stringMatching(/other users of this machine can read the database .*; run: chmod 600 \S+\n$/),
  });
});
