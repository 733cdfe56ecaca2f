import type { LogEntry } from "../../http_access_log/contract.ts";
import { compareBytes } from "./bytes.ts";

/**
 * The encoding of a batch in messages to the writer and in the journal, little-endian: the number of rows (32 bits),
 * then for each row the lengths of log and body (32 bits each), userId and nodeClusterId (64 bits each), the length of
 * the request id (8 bits), the id, the log, and the body. Blocks of sealed segments omit the body.
 */
export const ROW_HEADER = 25;
export const BATCH_HEADER = 4;
/** The maximum length of a request id, whose length is one byte. */
const MAX_ID_LENGTH = 255;

const decoder = new TextDecoder();

/** The bytes of encoded rows, with a view of them. */
export interface RowBuffer {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

export function rowBuffer(bytes: Uint8Array): RowBuffer {
  return { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}

export function encodeBatch(entries: readonly LogEntry[]): Uint8Array<ArrayBuffer> {
  let size = BATCH_HEADER;
  for (const { requestId, log, requestBody } of entries) {
    size += ROW_HEADER + requestId.length + log.length + requestBody.length;
  }
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, entries.length, true);
  let at = BATCH_HEADER;
  for (const { requestId, userId, nodeClusterId, log, requestBody } of entries) {
    view.setUint32(at, log.length, true);
    view.setUint32(at + 4, requestBody.length, true);
    writeInteger(view, at + 8, userId);
    writeInteger(view, at + 16, nodeClusterId);
    at = writeId(bytes, at + ROW_HEADER - 1, requestId);
    bytes.set(log, at);
    at += log.length;
    if (requestBody.length > 0) bytes.set(requestBody, at);
    at += requestBody.length;
  }
  return bytes;
}

/** Writes the length and the characters of a request id; returns the position after it. */
function writeId(bytes: Uint8Array, at: number, requestId: string): number {
  const { length } = requestId;
  let isValid = length <= MAX_ID_LENGTH;
  bytes[at] = length;
  for (let index = 0; index < length; index++) {
    const code = requestId.charCodeAt(index);
    if (code >= 0x80) isValid = false;
    bytes[at + 1 + index] = code;
  }
  if (isValid) return at + 1 + length;
  throw new RangeError(`requestId: must be at most ${MAX_ID_LENGTH} ASCII characters, got "${requestId.slice(0, 60)}"`);
}

function writeInteger(view: DataView, at: number, value: bigint): void {
  if (value >= 0n && value <= 0xffff_ffffn) view.setUint32(at, Number(value), true);
  else view.setBigInt64(at, value, true);
}

/** Returns the length of a row in a batch, including the body. */
export function rowLength({ bytes, view }: RowBuffer, at: number): number {
  return blockRowLength({ bytes, view }, at) + view.getUint32(at + 4, true);
}

/** Returns the length of a row in a block, which stores bodies separately. */
export function blockRowLength({ bytes, view }: RowBuffer, at: number): number {
  return ROW_HEADER + bytes[at + 24]! + view.getUint32(at, true);
}

export function logLength({ view }: RowBuffer, at: number): number {
  return view.getUint32(at, true);
}

export function bodyLength({ view }: RowBuffer, at: number): number {
  return view.getUint32(at + 4, true);
}

export function idFrom(at: number): number {
  return at + ROW_HEADER;
}

export function idTo({ bytes }: RowBuffer, at: number): number {
  return at + ROW_HEADER + bytes[at + 24]!;
}

/** Compares the request id of a row with another id. */
export function compareId(buffer: RowBuffer, at: number, id: Uint8Array): number {
  return compareBytes(buffer.bytes, idFrom(at), idTo(buffer, at), id, 0, id.length);
}

/** Compares the request ids of two rows. */
export function compareIds(one: RowBuffer, at: number, other: RowBuffer, otherAt: number): number {
  return compareBytes(one.bytes, idFrom(at), idTo(one, at), other.bytes, idFrom(otherAt), idTo(other, otherAt));
}

export function idText(buffer: RowBuffer, at: number): string {
  return decoder.decode(buffer.bytes.subarray(idFrom(at), idTo(buffer, at)));
}

export function logBytes(buffer: RowBuffer, at: number): Uint8Array {
  const from = idTo(buffer, at);
  return buffer.bytes.subarray(from, from + logLength(buffer, at));
}

/** Returns the body of a row in a batch. */
export function bodyBytes(buffer: RowBuffer, at: number): Uint8Array {
  const from = at + blockRowLength(buffer, at);
  return buffer.bytes.subarray(from, from + bodyLength(buffer, at));
}

export function entryAt(buffer: RowBuffer, at: number, requestBody: Uint8Array): LogEntry {
  return {
    requestId: idText(buffer, at),
    userId: buffer.view.getBigInt64(at + 8, true),
    nodeClusterId: buffer.view.getBigInt64(at + 16, true),
    log: logBytes(buffer, at),
    requestBody,
  };
}

/** Yields the position of each row of a batch. */
export function* rowsOf(buffer: RowBuffer, from = 0): Generator<number> {
  let at = from + BATCH_HEADER;
  for (let remaining = buffer.view.getUint32(from, true); remaining > 0; remaining--) {
    yield at;
    at += rowLength(buffer, at);
  }
}

export function decodeBatch(bytes: Uint8Array): LogEntry[] {
  const buffer = rowBuffer(bytes);
  return [...rowsOf(buffer)].map((at) => entryAt(buffer, at, bodyBytes(buffer, at)));
}
