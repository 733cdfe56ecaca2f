import { entryAt, idText } from "../../segments/batch.ts";
import { type Generation, HOT, hotNumber } from "../../segments/generation.ts";
import { eachRow, hasRow, type RowSet, wordsFor } from "../../segments/row_set.ts";
import type { SegmentInfo } from "../../segments/segment.ts";
import { numberTerm } from "../../segments/terms.ts";
import { RECORD } from "./journal.ts";
import type { LogWriter } from "./log_writer.ts";
import { encodeIds } from "./records.ts";

const NO_BODY = new Uint8Array();

interface Found {
  readonly generation: Generation;
  readonly row: number;
}

/** Removes rows: unsealed ones by a record in the journal, sealed ones by bits beside their segment. */
export class Removals {
  readonly #writer: LogWriter;

  constructor(writer: LogWriter) {
    this.#writer = writer;
  }

  async removeOfUser(userId: bigint, limit: number): Promise<{ count: number; changed: SegmentInfo[] }> {
    const unsealed = this.#unsealedOf(userId, limit);
    if (unsealed.length > 0) {
      const ids = unsealed.map(({ generation, row }) => idText(generation.pieceOf(row), generation.startOf(row)));
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

  /** Marks rows of a segment; none of a damaged one, whose rows nobody finds anyway. */
  #removeSealed(info: SegmentInfo, userId: bigint, limit: number): number {
    let known: RowSet;
    const rows: number[] = [];
    try {
      const segment = this.#writer.pool.open(info);
      known = segment.removedRows;
      for (const row of eachRow(segment.term("userId", numberTerm(userId)), info.rows)) {
        if (rows.length >= limit) break;
        if (!hasRow(known, row)) rows.push(row);
      }
    } catch (fault) {
      this.#writer.report(info, fault);
      return 0;
    }
    if (rows.length > 0) this.#writer.directory.writeRemoved(info.name, withRows(known, rows, info.rows));
    return rows.length;
  }

  #unsealedOf(userId: bigint, limit: number): Found[] {
    const wanted = hotNumber(userId);
    const found: Found[] = [];
    for (const generation of this.#writer.generations) {
      for (let row = 0; row < generation.visible && found.length < limit; row++) {
        if (generation.columns[HOT.userId]![row] !== wanted || generation.isRemoved[row] === 1) continue;
        const entry = entryAt(generation.pieceOf(row), generation.startOf(row), NO_BODY);
        if (entry.userId === userId) found.push({ generation, row });
      }
    }
    return found;
  }
}

function withRows(known: RowSet, rows: readonly number[], total: number): Uint32Array {
  const words = new Uint32Array(wordsFor(total));
  if (known.kind === "bits") words.set(known.words);
  for (const row of rows) words[row >>> 5]! |= 1 << (row & 31);
  return words;
}
