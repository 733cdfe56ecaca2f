import { pathToFileURL } from "node:url";
import type { SqlResult } from "../../../storage/engine.ts";
import { type LongRead, LongReader, type LongReadLimits } from "./long_reader.ts";
import { DRIVER_THREADS } from "../driver/driver.ts";

export type { LongReadLimits };

export const LONG_READ_LIMITS: LongReadLimits = { rows: 100_000, bytes: 64 * 1024 * 1024, hangTime: 5000 };

/** Half of the threads are for reads that take the place of reads that hang. */
const CONNECTIONS = DRIVER_THREADS / 4;

/** The reads that are not proven to be short, on connections of their own that can be interrupted. */
export class LongReads {
  /** Apart, so that reads of whole tables, which take longest, do not hold up reads by keys. */
  readonly #keyed: LongReader;
  readonly #others: LongReader;

  constructor(path: string, limits: LongReadLimits, report: (text: string) => void = () => {}) {
    const location = `${pathToFileURL(path).href}?mode=ro`;
    const reader = () => new LongReader(location, CONNECTIONS, limits, report);
    this.#keyed = reader();
    this.#others = reader();
  }

  /** @param deadline unix milliseconds */
  run(read: LongRead, deadline: number | undefined): Promise<SqlResult> {
    const reader = read.bound === "keyed" ? this.#keyed : this.#others;
    return reader.run(read, deadline ?? Infinity);
  }

  /** Drops everything cached that depends on the schema. */
  refresh(): void {
    this.#keyed.refresh();
    this.#others.refresh();
  }

  /** Interrupts the running reads, and closes their connections. */
  async close(): Promise<void> {
    await Promise.all([this.#keyed.close(), this.#others.close()]);
  }
}
