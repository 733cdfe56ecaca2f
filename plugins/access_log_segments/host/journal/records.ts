import { type RowBuffer, rowBuffer } from "../../rows/batch.ts";
import type { Slot } from "../../unsealed/generation.ts";
import type { JournalRecord } from "./journal.ts";

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Encodes the prefix of a batch in the journal: the number of its days, then each day and its partition. */
export function encodeSlots(slots: readonly Slot[]): Uint8Array {
  const words = new Uint32Array(1 + slots.length * 2);
  words[0] = slots.length;
  for (const [index, { day, partition }] of slots.entries()) words.set([day, partition], 1 + index * 2);
  return new Uint8Array(words.buffer);
}

/** Decodes a batch record: its bytes, the position of the batch, and the partition of each day when it was written. */
export function decodeBatchRecord(
  { bytes, from, to }: JournalRecord,
): { buffer: RowBuffer; at: number; slots: Slot[] } {
  const buffer = rowBuffer(bytes.subarray(from, to));
  const count = buffer.view.getUint32(0, true);
  const slots = Array.from({ length: count }, (_, index) => ({
    day: buffer.view.getUint32(4 + index * 8, true),
    partition: buffer.view.getUint32(8 + index * 8, true),
  }));
  return { buffer, at: 4 + count * 8, slots };
}

export function encodeDay(day: number): Uint8Array {
  return new Uint8Array(Uint32Array.of(day).buffer);
}

export function decodeDay({ bytes, from }: JournalRecord): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(from, true);
}

export function encodeIds(ids: readonly string[]): Uint8Array {
  return encoder.encode(ids.join("\n"));
}

export function decodeIds({ bytes, from, to }: JournalRecord): string[] {
  return decoder.decode(bytes.subarray(from, to)).split("\n");
}
