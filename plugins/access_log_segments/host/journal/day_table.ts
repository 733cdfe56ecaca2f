import { hashId } from "../../terms/bloom.ts";
import { compareBytes } from "../../rows/bytes.ts";
import type { IdKey } from "../../unsealed/id_table.ts";
import { hasRow } from "../../terms/row_set.ts";
import type { SegmentInfo } from "../../search/segment.ts";
import { rowOf } from "../../search/segment_rows.ts";
import type { Slot } from "../../unsealed/generation.ts";
import type { SegmentPool } from "../files/segment_pool.ts";

const encoder = new TextEncoder();

interface Range {
  readonly info: SegmentInfo;
  readonly firstId: Uint8Array;
  readonly lastId: Uint8Array;
}

/** The current partition of a day. */
interface Filling {
  partition: number;
  rows: number;
}

/** Tracks for each day the request ids of its segments and its current partition. */
export class DayTable {
  readonly #pool: SegmentPool;
  readonly #partitionRows: number;
  readonly #ranges = new Map<number, Range[]>();
  #filling = new Map<number, Filling>();

  constructor(pool: SegmentPool, partitionRows: number) {
    this.#pool = pool;
    this.#partitionRows = partitionRows;
  }

  partitions(day: number): number[] {
    const filling = this.#filling.get(day);
    return filling === undefined ? [] : Array.from({ length: filling.partition + 1 }, (_, partition) => partition);
  }

  /** Returns the partition for new rows of a day; starts a new one if the last is full. */
  slotFor(day: number): Slot {
    const filling = this.#filling.get(day) ?? { partition: 0, rows: 0 };
    if (filling.rows >= this.#partitionRows) this.#filling.set(day, { partition: filling.partition + 1, rows: 0 });
    else this.#filling.set(day, filling);
    return { day, partition: this.#filling.get(day)!.partition };
  }

  count({ day, partition }: Slot, rows: number): void {
    const filling = this.#filling.get(day);
    if (filling === undefined || filling.partition < partition) this.#filling.set(day, { partition, rows });
    else if (filling.partition === partition) filling.rows += rows;
  }

  /** Returns a copy of the current partitions for `restore`. */
  snapshot(): ReadonlyMap<number, Filling> {
    return new Map([...this.#filling].map(([day, filling]) => [day, { ...filling }]));
  }

  restore(snapshot: ReadonlyMap<number, Filling>): void {
    this.#filling = new Map(snapshot);
  }

  addSegment(info: SegmentInfo): void {
    const ranges = this.#ranges.get(info.day) ?? [];
    ranges.push({ info, firstId: encoder.encode(info.firstId), lastId: encoder.encode(info.lastId) });
    ranges.sort((one, other) => one.info.lastId < other.info.lastId ? 1 : -1);
    this.#ranges.set(info.day, ranges);
  }

  removeSegment({ day, name }: SegmentInfo): void {
    const remaining = (this.#ranges.get(day) ?? []).filter(({ info }) => info.name !== name);
    if (remaining.length > 0) this.#ranges.set(day, remaining);
    else this.#ranges.delete(day);
  }

  removeDay(day: number): void {
    this.#ranges.delete(day);
    this.#filling.delete(day);
  }

  /** Returns true if a segment of the day has a row with the id that is not removed. */
  hasSealed({ bytes, from, to }: IdKey, day: number, report: (info: SegmentInfo, error: unknown) => void): boolean {
    const ranges = this.#ranges.get(day);
    if (ranges === undefined) return false;
    let hash: number | undefined;
    for (const { info, firstId, lastId } of ranges) {
      if (compareBytes(bytes, from, to, lastId, 0, lastId.length) > 0) return false;
      if (compareBytes(bytes, from, to, firstId, 0, firstId.length) < 0) continue;
      hash ??= hashId(bytes, from, to);
      try {
        const segment = this.#pool.open(info);
        if (!segment.mayHave(hash)) continue;
        const row = rowOf(segment, bytes.subarray(from, to));
        if (row >= 0 && !hasRow(segment.removedRows, row)) return true;
      } catch (error) {
        report(info, error);
      }
    }
    return false;
  }
}
