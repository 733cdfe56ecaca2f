import { execFile } from "node:child_process";
import { createHash, createPrivateKey, createPublicKey } from "node:crypto";
import { chownSync, existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { SigningKey } from "../store/node_state.ts";
import { KnotError } from "./knotc.ts";

/** Tells where keymgr is, and where it may write. */
export interface KeymgrOptions {
  readonly program: string;
  /** The directory of the state of the agent. */
  readonly stateDirectory: string;
  /** The control socket of Knot, which belongs to the user that Knot runs as. */
  readonly socket: string;
}

/** A key that Knot has, with its times in unix seconds; 0 for none. */
export interface StoredKey {
  readonly id: string;
  readonly publish: number;
  readonly active: number;
  readonly retire: number;
  readonly remove: number;
}

const ENVIRONMENT = {
  PATH: "/usr/sbin:/usr/bin:/sbin:/bin:/usr/local/sbin:/usr/local/bin",
  HOME: "/dev/null",
};
const ROOT = 0;

/** The keys with which Knot signs zones: its KASP database, which keymgr changes while Knot runs. */
export class Keymgr {
  readonly #options: KeymgrOptions;
  #directory = "";

  constructor(options: KeymgrOptions) {
    this.#options = options;
    // a private key that an agent left when it was killed
    rmSync(this.#draft, { force: true });
  }

  /** Sets the directory of the KASP database. */
  use(directory: string): void {
    this.#directory = directory;
  }

  /** Returns the names of the zones that have keys. */
  async zones(): Promise<ReadonlySet<string>> {
    if (!existsSync(join(this.#directory, "data.mdb"))) return new Set();
    const names = parsed<string>(await this.#run("-j", "-l"));
    return new Set(names.map((name) => name.replace(/\.$/, "")));
  }

  async list(zone: string): Promise<readonly StoredKey[]> {
    return parsed<StoredKey>(await this.#run("-j", zone, "list"));
  }

  /** Gives Knot a key, or the times of one that it has. */
  async put(zone: string, key: SigningKey, known: StoredKey | undefined): Promise<void> {
    const times = timesOf(key).map(([name, time]) => `${name}=${time}`);
    if (known !== undefined) {
      await this.#run(zone, "set", known.id, ...times);
      return;
    }
    writeFileSync(this.#draft, key.privateKey, { mode: 0o600 });
    try {
      const attributes = [`algorithm=${key.algorithm}`, `ksk=${key.role === "KSK" ? "yes" : "no"}`];
      await this.#run(zone, "import-pem", this.#draft, ...attributes, ...times);
    } finally {
      rmSync(this.#draft, { force: true });
    }
    this.#giveToKnot();
  }

  async delete(zone: string, id: string): Promise<void> {
    await this.#run(zone, "delete", id);
  }

  get #draft(): string {
    return join(this.#options.stateDirectory, "import.pem");
  }

  /** Gives files that root made to the user of Knot, which must read and write them. */
  #giveToKnot(): void {
    if (process.getuid?.() !== ROOT) return;
    const { uid, gid } = statSync(this.#options.socket);
    const give = (path: string) => {
      const found = statSync(path);
      if (found.uid !== uid || found.gid !== gid) chownSync(path, uid, gid);
      if (found.isDirectory()) { for (const name of readdirSync(path)) give(join(path, name)); }
    };
    give(this.#directory);
  }

  #run(...args: readonly string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      const all = ["-D", this.#directory, ...args];
      execFile(this.#options.program, all, { env: ENVIRONMENT }, (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(new KnotError(`keymgr ${args.join(" ")}: ${stderr.trim() || stdout.trim() || error.message}`));
      });
    });
  }
}

/** Returns the id that Knot gives a key: the SHA-1 digest of its public key. */
export function keyIdOf({ privateKey }: SigningKey): string {
  const info = createPublicKey(createPrivateKey(privateKey)).export({ type: "spki", format: "der" });
  return createHash("sha1").update(info).digest("hex");
}

/** Returns true if Knot has a key with its times. */
export function hasTimes(known: StoredKey, key: SigningKey): boolean {
  return timesOf(key).every(([name, time]) => known[name] === time);
}

function timesOf(key: SigningKey) {
  return [
    ["publish", key.publishAt],
    ["active", key.activeAt],
    ["retire", key.retireAt],
    ["remove", key.removeAt],
  ] as const;
}

function parsed<Item>(text: string): readonly Item[] {
  const begin = text.indexOf("[");
  return begin < 0 ? [] : JSON.parse(text.slice(begin)) as Item[];
}
