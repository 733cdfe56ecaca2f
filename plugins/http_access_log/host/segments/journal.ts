import { closeSync, fdatasync, fsyncSync, ftruncateSync, openSync, readFileSync, writevSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import { syncFolder } from "./sync_folder.ts";

const sync = promisify(fdatasync);
/** Length of what follows and its checksum, 32 bits each, the kind and three bytes of nothing. */
const HEAD = 12;

export const RECORD = { batch: 1, dropDay: 2, remove: 3 } as const;

/** Something that the journal holds: `bytes` from `from` on. */
export interface JournalRecord {
  readonly kind: number;
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/** A file that only grows; what was appended and synced is there after a crash. */
export class Journal {
  readonly path: string;
  #fd: number;
  /** Up to here all is whole. */
  #length: number;

  private constructor(path: string, fd: number, length: number) {
    this.path = path;
    this.#fd = fd;
    this.#length = length;
  }

  static create(path: string): Journal {
    const fd = openSync(path, "wx");
    syncFolder(dirname(path));
    return new Journal(path, fd, 0);
  }

  /** Opens a file again, and cuts off what came after `length`. */
  static reopen(path: string, length: number): Journal {
    const fd = openSync(path, "r+");
    try {
      ftruncateSync(fd, length);
      fsyncSync(fd);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
    return new Journal(path, fd, length);
  }

  get length(): number {
    return this.#length;
  }

  /** Appends records and resolves when they are durable; after a failure none of them is there. */
  async append(records: readonly { kind: number; parts: readonly Uint8Array[] }[]): Promise<void> {
    const pieces = records.flatMap(({ kind, parts }) => [headOf(kind, parts), ...parts]);
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    try {
      this.#write(pieces);
      await sync(this.#fd);
    } catch (error) {
      ftruncateSync(this.#fd, this.#length);
      throw error;
    }
    this.#length += length;
  }

  close(): void {
    if (this.#fd >= 0) closeSync(this.#fd);
    this.#fd = -1;
  }

  #write(pieces: Uint8Array[]): void {
    let at = this.#length;
    while (pieces.length > 0) {
      let written = writevSync(this.#fd, pieces.slice(0, 512), at);
      at += written;
      while (pieces.length > 0 && written >= pieces[0]!.length) written -= pieces.shift()!.length;
      if (pieces.length > 0) pieces[0] = pieces[0]!.subarray(written);
    }
  }
}

function headOf(kind: number, parts: readonly Uint8Array[]): Uint8Array {
  const head = new Uint8Array(HEAD);
  const view = new DataView(head.buffer);
  let [length, sum] = [0, 0];
  for (const part of parts) {
    length += part.length;
    sum = crc32(part, sum);
  }
  view.setUint32(0, length, true);
  // the kind and the length are covered, too, so that zeros are no record
  view.setUint32(4, crc32(Uint8Array.of(kind, length, length >>> 8, length >>> 16, length >>> 24), sum), true);
  head[8] = kind;
  return head;
}

/** The whole records of a journal, and how far they reach. */
export function readJournal(path: string): { records: JournalRecord[]; length: number; size: number } {
  const bytes = new Uint8Array(readFileSync(path));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const records: JournalRecord[] = [];
  let at = 0;
  while (at + HEAD <= bytes.length) {
    const length = view.getUint32(at, true);
    const kind = bytes[at + 8]!;
    const [from, to] = [at + HEAD, at + HEAD + length];
    if (to > bytes.length) break;
    const sum = crc32(
      Uint8Array.of(kind, length, length >>> 8, length >>> 16, length >>> 24),
      crc32(bytes.subarray(from, to)),
    );
    if (sum !== view.getUint32(at + 4, true)) break;
    records.push({ kind, bytes, from, to });
    at = to;
  }
  return { records, length: at, size: bytes.length };
}
