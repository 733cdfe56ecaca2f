import type { LogEntry } from "../log_store.ts";

/**
 * How logs travel to the worker and lie in the journal: a count of 32 bits, then each log as length of the log, length
 * of the body (32 bits each), userId, nodeClusterId (64 each), length of the request id (8), the id, the log, the
 * body; little-endian. In a sealed block the same without bodies.
 */
export const ROW_HEADER = 25;
export const BATCH_HEADER = 4;
/** As long as a request id can be. */
const MAX_ID = 255;

const decoder = new TextDecoder();

/** Bytes with their view. */
export interface Piece {
  readonly bytes: Uint8Array;
  readonly view: DataView;
}

export function pieceOf(bytes: Uint8Array): Piece {
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

/** Writes the length of a request id and itself; answers where it ends. */
function writeId(bytes: Uint8Array, at: number, requestId: string): number {
  const { length } = requestId;
  let isPlain = length <= MAX_ID;
  bytes[at] = length;
  for (let index = 0; index < length; index++) {
    const code = requestId.charCodeAt(index);
    if (code >= 0x80) isPlain = false;
    bytes[at + 1 + index] = code;
  }
  if (isPlain) return at + 1 + length;
  throw new RangeError(`requestId: must be at most ${MAX_ID} characters of ASCII, got "${requestId.slice(0, 60)}"`);
}

function writeInteger(view: DataView, at: number, value: bigint): void {
  if (value >= 0n && value <= 0xffff_ffffn) view.setUint32(at, Number(value), true);
  else view.setBigInt64(at, value, true);
}

/** How long a row is in a batch, body included. */
export function rowLength({ bytes, view }: Piece, at: number): number {
  return blockRowLength({ bytes, view }, at) + view.getUint32(at + 4, true);
}

/** How long a row is in a block, where bodies lie elsewhere. */
export function blockRowLength({ bytes, view }: Piece, at: number): number {
  return ROW_HEADER + bytes[at + 24]! + view.getUint32(at, true);
}

export function logLength({ view }: Piece, at: number): number {
  return view.getUint32(at, true);
}

export function bodyLength({ view }: Piece, at: number): number {
  return view.getUint32(at + 4, true);
}

export function idFrom(at: number): number {
  return at + ROW_HEADER;
}

export function idTo({ bytes }: Piece, at: number): number {
  return at + ROW_HEADER + bytes[at + 24]!;
}

export function idText(piece: Piece, at: number): string {
  return decoder.decode(piece.bytes.subarray(idFrom(at), idTo(piece, at)));
}

export function logBytes(piece: Piece, at: number): Uint8Array {
  const from = idTo(piece, at);
  return piece.bytes.subarray(from, from + logLength(piece, at));
}

/** The body of a row in a batch. */
export function bodyBytes(piece: Piece, at: number): Uint8Array {
  const from = at + blockRowLength(piece, at);
  return piece.bytes.subarray(from, from + bodyLength(piece, at));
}

export function entryAt(piece: Piece, at: number, requestBody: Uint8Array): LogEntry {
  return {
    requestId: idText(piece, at),
    userId: piece.view.getBigInt64(at + 8, true),
    nodeClusterId: piece.view.getBigInt64(at + 16, true),
    log: logBytes(piece, at),
    requestBody,
  };
}

/** Where the rows of a batch begin. */
export function* rowsOf(piece: Piece, from = 0): Generator<number> {
  let at = from + BATCH_HEADER;
  for (let left = piece.view.getUint32(from, true); left > 0; left--) {
    yield at;
    at += rowLength(piece, at);
  }
}

export function decodeBatch(bytes: Uint8Array): LogEntry[] {
  const piece = pieceOf(bytes);
  return [...rowsOf(piece)].map((at) => entryAt(piece, at, bodyBytes(piece, at)));
}
