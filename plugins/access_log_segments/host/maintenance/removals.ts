import { entryAt, idText } from "../../rows/batch.ts";
import { type Generation, HOT, hotNumber } from "../../unsealed/generation.ts";
import { eachRow, hasRow, type RowSet, wordsFor } from "../../terms/row_set.ts";
import type { SegmentInfo } from "../../search/segment.ts";
import { numberTerm } from "../../terms/terms.ts";
import { RECORD } from "../journal/journal.ts";
import type { LogWriter } from "../journal/log_writer.ts";
import { encodeIds } from "../journal/records.ts";

const NO_BODY = new Uint8Array();

interface Found {
  readonly generation: Generation;
  readonly row: number;
}

/** Removes rows: unsealed ones by a record in the journal, sealed ones by a bit in a file next to their segment. */
export class Removals {
  readonly #writer: LogWriter;

  constructor(writer: LogWriter) {
    this.#writer = writer;
  }

  async removeOfUser(userId: bigint, limit: number): Promise<{ count: number; changed: SegmentInfo[] }> {
    const unsealed = this.#unsealedOf(userId, limit);
    if (unsealed.length > 0) {
      const ids = unsealed.map(({ generation, row }) => idText(generation.bufferOf(row), generation.startOf(row)));
      await this.#writer.record(RECORD.remove, encodeIds(ids));
      for (const { generation, row } of unsealed) generation.remove(row);
    }
    let count = unsealed.length;
    const changed: SegmentInfo[] = [];
    for (const info of this.#writer.pool.infos()) {
      if (count >= limit) break;
      const removed = this.#removeSealed(info, userId, limit - count);
      if (removed > 0) changed.push({ ...info, removed: info.removed + removed });
      count += removed;
    }
    for (const info of changed) this.#writer.pool.refresh(info);
    return { count, changed };
  }

  /** Marks rows of a segment as removed. It skips damaged segments, whose rows no search finds either. */
  #removeSealed(info: SegmentInfo, userId: bigint, limit: number): number {
    let removed: RowSet;
    const rows: number[] = [];
    try {
      const segment = this.#writer.pool.open(info);
      removed = segment.removedRows;
      for (const row of eachRow(segment.term("userId", numberTerm(userId)), info.rows)) {
        if (rows.length >= limit) break;
        if (!hasRow(removed, row)) rows.push(row);
      }
    } catch (error) {
      this.#writer.report(info, error);
      return 0;
    }
    if (rows.length > 0) this.#writer.directory.writeRemoved(info.name, withRows(removed, rows, info.rows));
    return rows.length;
  }

  #unsealedOf(userId: bigint, limit: number): Found[] {
    const hash = hotNumber(userId);
    const found: Found[] = [];
    for (const generation of this.#writer.generations) {
      for (let row = 0; row < generation.visible && found.length < limit; row++) {
        if (generation.columns[HOT.userId]![row] !== hash || generation.isRemoved[row] === 1) continue;
        const entry = entryAt(generation.bufferOf(row), generation.startOf(row), NO_BODY);
        if (entry.userId === userId) found.push({ generation, row });
      }
    }
    return found;
  }
}

function withRows(set: RowSet, rows: readonly number[], total: number): Uint32Array {
  const words = new Uint32Array(wordsFor(total));
  if (set.kind === "bits") words.set(set.words);
  for (const row of rows) words[row >>> 5]! |= 1 << (row & 31);
  return words;
}
