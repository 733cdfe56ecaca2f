import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { reportMissing } from "../harness/needs.ts";
import { freePort } from "./nsd.ts";
import type { Sshd } from "./sshd.ts";

const KNOTD = "/usr/sbin/knotd";
const KNOTC = "/usr/sbin/knotc";
const DIG = "/usr/bin/dig";
/** Another process may take the free port first. */
const MAX_ATTEMPTS = 5;

/** Returns true if Knot DNS and dig are installed, and prints a warning otherwise. */
export function knotRuns(): boolean {
  const runs = [KNOTD, KNOTC, DIG].every(existsSync);
  if (!runs) reportMissing("knot knot-dnsutils bind9-dnsutils");
  return runs;
}

/** A Knot DNS server without zones on a port of 127.0.0.1, with a configuration database. */
export class Knot implements AsyncDisposable {
  readonly folder: string;
  readonly port: number;
  readonly #preload: string;
  #child: ChildProcess | undefined;
  #ended: Promise<unknown> = Promise.resolve();

  private constructor(folder: string, port: number, preload: string) {
    this.#preload = preload;
    this.folder = folder;
    this.port = port;
  }

  /**
   * @param more what its configuration has besides, such as zones that it transfers
   * @param preload the path of a library that stays in its memory
   */
  static async start(more = "", preload = ""): Promise<Knot> {
    for (let attempt = 1;; attempt++) {
      const folder = await mkdtemp(join(tmpdir(), "edgehelm-knot-"));
      const knot = new Knot(folder, await freePort(), preload);
      try {
        for (const name of ["run", "db", "zones"]) await mkdir(join(folder, name));
        await writeFile(join(folder, "knot.conf"), configuration(folder, knot.port) + more);
        execFileSync(KNOTC, ["-C", join(folder, "confdb"), "conf-import", join(folder, "knot.conf")]);
        await knot.restart();
        return knot;
      } catch (error) {
        await knot[Symbol.asyncDispose]();
        if (attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  get socket(): string {
    return join(this.folder, "run", "knot.sock");
  }

  /** Starts Knot after it was killed. */
  async restart(): Promise<void> {
    const env = { ...process.env, ...this.#preload !== "" && { LD_PRELOAD: this.#preload } };
    const child = spawn(KNOTD, ["-C", join(this.folder, "confdb")], { env, stdio: ["ignore", "pipe", "pipe"] });
    this.#child = child;
    this.#ended = new Promise((resolve) => child.once("close", resolve));
    let output = "";
    await new Promise<void>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.on("data", (chunk) => {
          output += chunk;
          if (output.includes("server started")) resolve();
        });
      }
      child.once("close", () => reject(new Error(`knotd ended: ${output}`)));
    });
    if (output.includes("cannot bind")) throw new Error(output);
  }

  /** Kills Knot without a chance to write anything. */
  async kill(): Promise<void> {
    this.#child?.kill("SIGKILL");
    await this.#ended;
  }

  /** Removes the zones that Knot has stored. To be called while it does not run. */
  async forget(): Promise<void> {
    const storage = join(this.folder, "db");
    await rm(storage, { recursive: true });
    await mkdir(storage);
  }

  /** Asks Knot with dig, and returns what dig prints. */
  async dig(...args: readonly string[]): Promise<string> {
    return await dig(this.port, ...args);
  }

  /** Returns the data of the records of a name and type, sorted. */
  async short(name: string, type: string): Promise<string[]> {
    return await short(this.port, name, type);
  }

  /** Runs a command of knotc. */
  knotc(...args: readonly string[]): string {
    return execFileSync(KNOTC, ["-s", this.socket, ...args]).toString();
  }

  /** Runs a command of knotc, and returns what it prints, also if it fails; undefined while Knot does not run. */
  async tryKnotc(...args: readonly string[]): Promise<string | undefined> {
    if (this.#child === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return undefined;
    return await promisify(execFile)(KNOTC, ["-s", this.socket, ...args])
      .then(({ stdout }) => stdout, ({ stdout, stderr }) => `${stdout}${stderr}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Asks a server on a port of 127.0.0.1 with dig, and returns what dig prints. */
export async function dig(port: number, ...args: readonly string[]): Promise<string> {
  const all = ["@127.0.0.1", "-p", `${port}`, "+tries=1", "+time=5", ...args];
  // what dig prints counts, whatever its exit code
  return await promisify(execFile)(DIG, all, { maxBuffer: 64 * 1024 * 1024 })
    .then(({ stdout }) => stdout, ({ stdout }) => stdout as string);
}

/** Returns the data of the records of a name and type at a server, sorted. */
export async function short(port: number, name: string, type: string): Promise<string[]> {
  return (await dig(port, "+short", name, type)).split("\n").filter((line) => line !== "").sort();
}

/**
 * Starts Knot on the machine of an SSH server, where its package would have it: its socket is in /run/knot.
 *
 * @param options what its configuration has besides, and the path of a library that stays in its memory
 */
export async function startKnotOn(sshd: Sshd, port: number, { more = "", preload = "" } = {}): Promise<void> {
  await mkdir(join(sshd.folder, "db"), { recursive: true });
  const path = join(sshd.folder, "knot.conf");
  await writeFile(path, configuration(sshd.folder, port, "/run/knot") + more);
  execFileSync(KNOTC, ["-C", `${sshd.folder}/confdb`, "conf-import", path]);
  const environment = preload === "" ? "" : `LD_PRELOAD=${preload} `;
  sshd.run(`mkdir -p /run/knot ${sshd.folder}/zones && ${environment}${KNOTD} -C ${sshd.folder}/confdb -d`);
}

function configuration(folder: string, port: number, rundir = `${folder}/run`): string {
  return `server:
    listen: 127.0.0.1@${port}
    rundir: ${rundir}
log:
  - target: stderr
    any: notice
    server: info
database:
    storage: ${folder}/db
template:
  - id: default
    storage: ${folder}/zones
`;
}
