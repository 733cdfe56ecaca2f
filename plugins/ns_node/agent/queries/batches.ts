import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { replaceFile, syncDirectory } from "../store/atomic_file.ts";
import { QueryCounts, type Sums } from "./counts.ts";

const CURRENT = "current.json";
const BATCH = /^([a-z0-9]+-[a-z0-9]+)\.json$/;

/** Sums that are to be uploaded under a name. */
export interface Batch {
  readonly name: string;
  readonly sums: Sums;
}

/**
 * The counts of queries on disk. What is counted goes to one file, which becomes a batch with a name of its own when it is to
 * be uploaded. A batch stays until it was uploaded, so that it can be uploaded again under the same name.
 */
export class Batches {
  readonly #directory: string;
  #current: QueryCounts;
  #isWritten = true;

  constructor(directory: string) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#current = new QueryCounts(this.#read(CURRENT));
  }

  get counts(): QueryCounts {
    this.#isWritten = false;
    return this.#current;
  }

  /** Writes what was counted to the disk. */
  flush(): void {
    if (this.#isWritten) return;
    replaceFile(join(this.#directory, CURRENT), JSON.stringify(this.#current.sums));
    this.#isWritten = true;
  }

  /** Returns the batch to upload, the one that waits or else a new one; undefined if nothing was counted. */
  next(): Batch | undefined {
    for (const file of readdirSync(this.#directory).sort()) {
      const name = BATCH.exec(file)?.[1];
      const sums = name === undefined ? undefined : this.#read(file);
      if (name !== undefined && sums !== undefined) return { name, sums };
    }
    if (this.#current.isEmpty) return undefined;
    this.flush();
    const name = `${Date.now().toString(36)}-${randomBytes(8).toString("hex")}`;
    renameSync(join(this.#directory, CURRENT), join(this.#directory, `${name}.json`));
    syncDirectory(this.#directory);
    const { sums } = this.#current;
    this.#current = new QueryCounts();
    return { name, sums };
  }

  /** Forgets a batch that was uploaded. */
  remove({ name }: Batch): void {
    rmSync(join(this.#directory, `${name}.json`), { force: true });
    syncDirectory(this.#directory);
  }

  #read(file: string): Sums | undefined {
    try {
      return JSON.parse(readFileSync(join(this.#directory, file), "utf8")) as Sums;
    } catch {
      return undefined;
    }
  }
}
