import { ipv4 } from "../rows/addresses.ts";
import { compareIds, idFrom, idTo, logLength, type RowBuffer, rowLength, rowsOf } from "../rows/batch.ts";
import { grown, hashBytes, hashHalves } from "../rows/bytes.ts";
import { dayOfId } from "../rows/day.ts";
import { IdKey, IdTable } from "./id_table.ts";
import { NUMBERS, RowScan, TEXTS } from "../rows/row_scan.ts";
import { hostTerm, type TermSink, textTerm } from "../terms/terms.ts";

/** The in-memory columns of unsealed rows, 32 bits each, after those of NUMBERS. */
export const HOT = {
  userId: NUMBERS.length,
  nodeClusterId: NUMBERS.length + 1,
  ip: NUMBERS.length + 2,
  host: NUMBERS.length + 3,
} as const;
const HOT_COLUMNS = NUMBERS.length + 4;
const STATUS = NUMBERS.indexOf("status");
const REMOTE_ADDR = TEXTS.indexOf("remoteAddr");
const HOST = TEXTS.indexOf("host");

/** A day and partition of rows of a generation. */
export interface Slot {
  readonly day: number;
  readonly partition: number;
}

/** The rows of one journal file until they are sealed. */
export class Generation {
  readonly number: number;
  readonly slots: Slot[] = [];
  readonly ids = new IdTable(this);
  /** All rows, and those of them that are durable and visible to searches. */
  rows = 0;
  visible = 0;
  bytes = 0;
  columns = Array.from({ length: HOT_COLUMNS }, () => new Uint32Array(1024));
  slotOf = new Uint16Array(1024);
  isRemoved = new Uint8Array(1024);
  /** For each row in the journal, the row here plus one, or 0 if it was skipped as a duplicate. */
  journalRows: number[] = [];
  readonly #buffers: RowBuffer[] = [];
  #bufferIndex = new Uint32Array(1024);
  #start = new Uint32Array(1024);
  readonly #scan = new RowScan();
  readonly #key = new IdKey();
  readonly #setHost: TermSink = (_column, host, from, to) => {
    this.columns[HOT.host]![this.rows] = hashBytes(host, from, to);
  };
  #order = new Uint32Array(0);

  constructor(number: number) {
    this.number = number;
  }

  bufferOf(row: number): RowBuffer {
    return this.#buffers[this.#bufferIndex[row]!]!;
  }

  startOf(row: number): number {
    return this.#start[row]!;
  }

  /** Adds the new rows of a batch and returns their number; `isKnown` checks for ids stored elsewhere. */
  add(buffer: RowBuffer, from: number, slotFor: (day: number) => Slot, isKnown: (key: IdKey, day: number) => boolean) {
    const before = this.rows;
    const index = this.#buffers.push(buffer) - 1;
    const slots = new Map<number, number>();
    for (const at of rowsOf(buffer, from)) {
      const key = this.#key.set(buffer.bytes, idFrom(at), idTo(buffer, at));
      const day = dayOfId(buffer.bytes, key.from);
      if (this.has(key) || isKnown(key, day)) {
        this.journalRows.push(0);
        continue;
      }
      let slot = slots.get(day);
      if (slot === undefined) slots.set(day, slot = this.#slotIndex(slotFor(day)));
      this.#addRow(buffer, index, at, slot);
    }
    this.bytes += buffer.bytes.length - from;
    return this.rows - before;
  }

  /** Returns true if a row that is not removed has the id. */
  has(key: IdKey): boolean {
    const row = this.ids.find(key);
    return row >= 0 && this.isRemoved[row] === 0;
  }

  /** Discards the rows from `rows` on, which did not become durable, and restores the counts of before. */
  undo(rows: number, journalRows: number, bytes: number): void {
    const hasDiscarded = rows < this.rows;
    this.rows = rows;
    this.journalRows.length = journalRows;
    this.bytes = bytes;
    while (this.#buffers.length > 0 && (rows === 0 || this.#bufferIndex[rows - 1]! < this.#buffers.length - 1)) {
      this.#buffers.pop();
    }
    if (hasDiscarded) this.ids.rebuild(rows);
  }

  remove(row: number): void {
    this.isRemoved[row] = 1;
  }

  /** Returns the rows of each slot that are not removed, and their bytes. */
  countSlots(): { slot: Slot; rows: number; bytes: number }[] {
    const counts = this.slots.map((slot) => ({ slot, rows: 0, bytes: 0 }));
    for (let row = 0; row < this.visible; row++) {
      if (this.isRemoved[row] === 1) continue;
      const count = counts[this.slotOf[row]!]!;
      count.rows++;
      count.bytes += rowLength(this.bufferOf(row), this.startOf(row));
    }
    return counts.filter(({ rows }) => rows > 0);
  }

  /** Returns the visible rows in the order of their request ids. */
  order(): Uint32Array {
    const ordered = this.#order.length;
    if (ordered === this.visible) return this.#order;
    const added = Uint32Array.from({ length: this.visible - ordered }, (_, index) => ordered + index);
    const compare = (one: number, other: number) => this.#compare(one, other);
    if (added.some((row, index) => index > 0 && compare(added[index - 1]!, row) > 0)) added.sort(compare);
    this.#order = merged(this.#order, added, compare);
    return this.#order;
  }

  #addRow(buffer: RowBuffer, index: number, at: number, slot: number): void {
    const row = this.rows;
    if (row === this.#start.length) this.#grow();
    this.#bufferIndex[row] = index;
    this.#start[row] = at;
    this.slotOf[row] = slot;
    this.isRemoved[row] = 0;
    const from = idTo(buffer, at);
    this.#scan.read(buffer.bytes, from, from + logLength(buffer, at));
    for (let column = 0; column < NUMBERS.length; column++) {
      this.columns[column]![row] = column === STATUS
        ? this.#scan.low[column]!
        : hashHalves(this.#scan.low[column]!, this.#scan.high[column]!);
    }
    const { view } = buffer;
    this.columns[HOT.userId]![row] = hashHalves(view.getUint32(at + 8, true), view.getUint32(at + 12, true));
    this.columns[HOT.nodeClusterId]![row] = hashHalves(view.getUint32(at + 16, true), view.getUint32(at + 20, true));
    const address = ipv4(buffer.bytes, this.#scan.from[REMOTE_ADDR]!, this.#scan.to[REMOTE_ADDR]!);
    // 0 means any form but dotted IPv4
    this.columns[HOT.ip]![row] = Math.max(address, 0);
    this.columns[HOT.host]![row] = 0;
    hostTerm(buffer.bytes, this.#scan.from[HOST]!, this.#scan.to[HOST]!, this.#setHost);
    this.rows++;
    this.ids.add(row, this.#key);
    this.journalRows.push(row + 1);
  }

  #slotIndex({ day, partition }: Slot): number {
    const index = this.slots.findIndex((slot) => slot.day === day && slot.partition === partition);
    return index >= 0 ? index : this.slots.push({ day, partition }) - 1;
  }

  #compare(one: number, other: number): number {
    return compareIds(this.bufferOf(one), this.startOf(one), this.bufferOf(other), this.startOf(other));
  }

  #grow(): void {
    this.columns = this.columns.map((column) => grown(column, Uint32Array));
    this.#bufferIndex = grown(this.#bufferIndex, Uint32Array);
    this.#start = grown(this.#start, Uint32Array);
    this.slotOf = grown(this.slotOf, Uint16Array);
    this.isRemoved = grown(this.isRemoved, Uint8Array);
  }
}

function merged(
  one: Uint32Array,
  other: Uint32Array,
  compare: (one: number, other: number) => number,
): Uint32Array<ArrayBuffer> {
  const all = new Uint32Array(one.length + other.length);
  let [left, right] = [one.length - 1, other.length - 1];
  for (let at = all.length - 1; at >= 0; at--) {
    const isLeft = right < 0 || left >= 0 && compare(one[left]!, other[right]!) > 0;
    if (right < 0) {
      all.set(one.subarray(0, left + 1));
      break;
    }
    all[at] = isLeft ? one[left--]! : other[right--]!;
  }
  return all;
}

/** Converts an `ipKey` to its value in the column; returns 0 for an address that is not IPv4. */
export function hotAddress(key: string): number {
  return key.startsWith("00000000000000000000ffff") ? Number.parseInt(key.slice(24), 16) : 0;
}

export function hotHost(host: string): number {
  const term = textTerm(host);
  return hashBytes(term, 0, term.length);
}

export function hotNumber(value: bigint): number {
  return hashHalves(Number(value & 0xffff_ffffn), Number(value >> 32n & 0xffff_ffffn));
}
