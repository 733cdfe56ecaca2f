import { rm, writeFile } from "node:fs/promises";
import type { TemporaryFolder } from "../../installation/temporary_folder.ts";
import { framed } from "../../load/grpc_call.ts";
import { LogRows } from "./rows.ts";

/** Rows of one call. */
const BATCH = 1000;
/** Field 1 of the request, with a length. */
const LOG_TAG = 1 << 3 | 2;

/** Calls of createHTTPAccessLogs as files of encoded messages; every row comes once. */
export class LogBatches {
  readonly #rows: LogRows;
  readonly #folder: TemporaryFolder;

  /** @param rowsOfDay how many rows fill a day; later ones are of the next day */
  constructor(rowsOfDay: number, folder: TemporaryFolder) {
    this.#rows = new LogRows(rowsOfDay);
    this.#folder = folder;
  }

  /** Writes the next calls, lets them be used, and deletes them. */
  async withFiles<Result>(batches: number, use: (paths: readonly string[]) => Promise<Result>): Promise<Result> {
    const paths = Array.from({ length: batches }, () => this.#folder.unique("batch"));
    try {
      for (const path of paths) await writeFile(path, framed(this.#request()));
      return await use(paths);
    } finally {
      for (const path of paths) await rm(path, { force: true });
    }
  }

  get rowsOfBatch(): number {
    return BATCH;
  }

  #request(): Uint8Array {
    const parts = this.#rows.batch(BATCH).flatMap(({ log }) => [Uint8Array.of(LOG_TAG, ...varint(log.length)), log]);
    const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (; value > 127; value >>>= 7) bytes.push(value & 127 | 128);
  return [...bytes, value];
}
