import { dayOfId } from "../../rows/day.ts";
import { idFrom } from "../../rows/batch.ts";
import { Generation } from "../../unsealed/generation.ts";
import { IdKey } from "../../unsealed/id_table.ts";
import type { DayTable } from "./day_table.ts";
import type { Damage, Directory } from "../files/directory.ts";
import { type JournalRecord, readJournal, RECORD } from "./journal.ts";
import { decodeBatchRecord, decodeDay, decodeIds } from "./records.ts";
import type { SegmentPool } from "../files/segment_pool.ts";

export interface Recovered {
  /** The generations in ascending order; the journal of the last one is continued. */
  readonly generations: Generation[];
  /** The length of the complete records of the last journal. */
  readonly length: number;
  readonly nextNumber: number;
  readonly damages: readonly Damage[];
}

const encoder = new TextEncoder();

/** Loads the state of a store from its directory and cleans up after a crash. */
export function recover(directory: Directory, pool: SegmentPool, days: DayTable): Recovered {
  const journals = directory.journals();
  const { infos, damages } = directory.segments();
  const oldest = journals[0] ?? Infinity;
  let last = journals.at(-1) ?? 0;
  for (const info of infos) {
    last = Math.max(last, info.generation);
    // its journal still exists, so the segment is the remainder of an interrupted seal
    if (info.generation >= oldest) directory.removeSegment(info.name);
    else {
      pool.set(info);
      days.addSegment(info);
    }
  }
  for (const info of [...pool.infos()].sort((one, other) => one.partition - other.partition)) {
    days.count(info, info.rows);
  }
  const generations: Generation[] = [];
  let end = 0;
  for (const number of journals) {
    const { records, length, size } = readJournal(directory.journalPath(number));
    const generation = new Generation(number);
    generations.push(generation);
    for (const record of records) replay(record, generations, directory, pool, days);
    generation.visible = generation.rows;
    end = length;
    if (length < size && number !== journals.at(-1)) {
      damages.push({ name: `journal-${number}`, error: `journal is damaged from byte ${length} on` });
    }
  }
  return { generations, length: end, nextNumber: last + 1, damages };
}

function replay(
  record: JournalRecord,
  generations: readonly Generation[],
  directory: Directory,
  pool: SegmentPool,
  days: DayTable,
): void {
  const generation = generations.at(-1)!;
  switch (record.kind) {
    case RECORD.batch: {
      const { buffer, at, slots } = decodeBatchRecord(record);
      const before = generation.rows;
      generation.add(
        buffer,
        at,
        (day) => slots.find((slot) => slot.day === day) ?? days.slotFor(day),
        (key, day) => isKnown(generations, key) || days.hasSealed(key, day, () => {}),
      );
      countRows(generation, before, days);
      return;
    }
    case RECORD.dropDay: {
      const day = decodeDay(record);
      for (const one of generations) removeDay(one, day);
      for (const info of pool.ofDay(day)) {
        pool.remove(info.name, true);
        directory.removeSegment(info.name);
      }
      days.removeDay(day);
      return;
    }
    case RECORD.remove:
      for (const id of decodeIds(record)) {
        const key = IdKey.of(encoder.encode(id));
        for (const one of generations) {
          const row = one.ids.find(key);
          if (row >= 0) one.remove(row);
        }
      }
  }
}

/** Returns true if one of the generations has a row with the id that is not removed. */
export function isKnown(generations: readonly Generation[], key: IdKey): boolean {
  for (const generation of generations) if (generation.has(key)) return true;
  return false;
}

/** Adds the rows from `before` on to the counts of their partitions. */
export function countRows(generation: Generation, before: number, days: DayTable): void {
  const counts = generation.slots.map(() => 0);
  for (let row = before; row < generation.rows; row++) counts[generation.slotOf[row]!]!++;
  for (const [index, slot] of generation.slots.entries()) if (counts[index]! > 0) days.count(slot, counts[index]!);
}

/** Marks the rows of a day as removed. */
export function removeDay(generation: Generation, day: number): void {
  for (let row = 0; row < generation.rows; row++) {
    const buffer = generation.bufferOf(row);
    if (dayOfId(buffer.bytes, idFrom(generation.startOf(row))) === day) generation.remove(row);
  }
}
