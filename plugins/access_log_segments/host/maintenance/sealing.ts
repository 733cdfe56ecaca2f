import { renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { compareIds, idText, rowsOf } from "../../rows/batch.ts";
import { hasRow } from "../../terms/row_set.ts";
import { BLOCK_ROWS, type SegmentInfo } from "../../search/segment.ts";
import type { Slot } from "../../unsealed/generation.ts";
import { Directory } from "../files/directory.ts";
import { readJournal, RECORD } from "../journal/journal.ts";
import { decodeBatchRecord } from "../journal/records.ts";
import { SegmentFile } from "../files/segment_file.ts";
import { syncFolder } from "../files/sync_folder.ts";
import { type SegmentHead, SegmentWriter, type SourceRow } from "../files/segment_writer.ts";

export interface SealTask {
  readonly directory: string;
  readonly generation: number;
  readonly slots: readonly Slot[];
  /** For each row of the journal its slot plus one (16 bits each), or 0 to omit the row. */
  readonly slotOf: ArrayBuffer;
  readonly segmentRows: number;
}

export interface MergeTask {
  readonly directory: string;
  readonly infos: readonly SegmentInfo[];
}

/** Writes the rows of a journal to segments. After an error none of the segments remains. */
export function seal({ directory, generation, slots, slotOf, segmentRows }: SealTask): SegmentInfo[] {
  const folder = new Directory(directory);
  const rows: SourceRow[][] = slots.map(() => []);
  const slotOfRow = new Uint16Array(slotOf);
  let row = 0;
  for (const record of readJournal(folder.journalPath(generation)).records) {
    if (record.kind !== RECORD.batch) continue;
    const { buffer, at } = decodeBatchRecord(record);
    for (const start of rowsOf(buffer, at)) {
      const slot = slotOfRow[row++]!;
      if (slot > 0) rows[slot - 1]!.push({ buffer, at: start, body: undefined });
    }
  }
  const written: SegmentInfo[] = [];
  try {
    for (const [index, { day, partition }] of slots.entries()) {
      const sorted = rows[index]!.sort(byId);
      const parts = Math.max(1, Math.ceil(sorted.length / segmentRows));
      for (let part = 0; sorted.length > 0 && part < parts; part++) {
        const rowsOfPart = sorted.slice(
          Math.floor(sorted.length * part / parts),
          Math.floor(sorted.length * (part + 1) / parts),
        );
        written.push(writeSegment(folder, rowsOfPart, { day, partition, generation, replaces: [] }, part));
      }
    }
  } catch (error) {
    for (const { name } of written) folder.removeSegment(name);
    throw error;
  }
  return written;
}

/** Merges segments of one partition into one, without removed rows; returns undefined if no row remains. */
export function merge({ directory, infos }: MergeTask): SegmentInfo | undefined {
  const folder = new Directory(directory);
  const files: SegmentFile[] = [];
  try {
    const rows: SourceRow[] = [];
    for (const info of infos) {
      const file = new SegmentFile(directory, info);
      files.push(file);
      rows.push(...remainingRows(file));
    }
    if (rows.length === 0) return undefined;
    const { day, partition } = infos[0]!;
    const generation = Math.max(...infos.map((info) => info.generation));
    // above every number that `seal` uses
    const number = 1000 + Math.max(...infos.map(({ name }) => Number(/-(\d+)\.seg$/.exec(name)![1])));
    return writeSegment(
      folder,
      rows.sort(byId),
      { day, partition, generation, replaces: infos.map(({ name }) => name) },
      number,
    );
  } finally {
    for (const file of files) file.close();
  }
}

function remainingRows(file: SegmentFile): SourceRow[] {
  const rows: SourceRow[] = [];
  for (let block = 0; block * BLOCK_ROWS < file.info.rows; block++) {
    const { buffer, starts } = file.block(block);
    for (const [index, at] of starts.entries()) {
      const row = block * BLOCK_ROWS + index;
      if (!hasRow(file.removedRows, row)) rows.push({ buffer, at, body: () => file.body(row) });
    }
  }
  return rows;
}

function writeSegment(folder: Directory, rows: readonly SourceRow[], head: SegmentHead, number: number): SegmentInfo {
  const { day, partition, generation } = head;
  const dayFolder = folder.dayFolder(day);
  const name = `${day}/${partition}-${generation}-${number}.seg`;
  const path = join(folder.path, name);
  try {
    const writer = new SegmentWriter(`${path}.tmp`, rows.length, head);
    try {
      for (const row of rows) writer.add(row);
      writer.finish();
    } finally {
      writer.close();
    }
    renameSync(`${path}.tmp`, path);
  } catch (error) {
    rmSync(`${path}.tmp`, { force: true });
    throw error;
  }
  syncFolder(dayFolder);
  syncFolder(folder.path);
  const [first, last] = [rows[0]!, rows.at(-1)!];
  return {
    ...{ name, day, partition, generation, rows: rows.length, bytes: statSync(path).size, removed: 0 },
    firstId: idText(first.buffer, first.at),
    lastId: idText(last.buffer, last.at),
  };
}

function byId(one: SourceRow, other: SourceRow): number {
  return compareIds(one.buffer, one.at, other.buffer, other.at);
}
