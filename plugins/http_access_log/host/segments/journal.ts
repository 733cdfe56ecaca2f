import { closeSync, fdatasync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import { syncFolder } from "./sync_folder.ts";

const sync = promisify(fdatasync);
/** Length of what follows and its checksum, 32 bits each, the kind and three bytes of nothing. */
const HEAD = 12;

export const RECORD = { batch: 1, dropDay: 2, remove: 3 } as const;

const NOTHING = new Uint8Array(0);

/** Something to be kept: `bytes`, and what is to stand before them. */
export interface NewRecord {
  readonly kind: number;
  readonly prefix?: Uint8Array;
  readonly bytes: Uint8Array;
}

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
  async append(records: readonly NewRecord[]): Promise<void> {
    let end = this.#length;
    try {
      for (const record of records) {
        end = this.#write(headOf(record), end);
        end = this.#write(record.bytes, end);
      }
      await sync(this.#fd);
    } catch (error) {
      ftruncateSync(this.#fd, this.#length);
      throw error;
    }
    this.#length = end;
  }

  close(): void {
    if (this.#fd >= 0) closeSync(this.#fd);
    this.#fd = -1;
  }

  /** One piece at a time: several at once are put together first by some runtimes. Answers where it ends. */
  #write(bytes: Uint8Array, from: number): number {
    for (let at = 0; at < bytes.length;) at += writeSync(this.#fd, bytes, at, bytes.length - at, from + at);
    return from + bytes.length;
  }
}

/** What stands before `bytes`. */
function headOf({ kind, prefix = NOTHING, bytes }: NewRecord): Uint8Array {
  const head = new Uint8Array(HEAD + prefix.length);
  const view = new DataView(head.buffer);
  const length = prefix.length + bytes.length;
  view.setUint32(0, length, true);
  // the kind and the length are covered, too, so that zeros are no record
  const sum = crc32(bytes, crc32(prefix));
  view.setUint32(4, crc32(Uint8Array.of(kind, length, length >>> 8, length >>> 16, length >>> 24), sum), true);
  head[8] = kind;
  head.set(prefix, HEAD);
  return head;
}

/** `readFileSync` copies what it reads on some runtimes. */
function readWhole(path: string): Uint8Array {
  const fd = openSync(path, "r");
  try {
    const bytes = new Uint8Array(fstatSync(fd).size);
    let at = 0;
    for (let read = -1; read !== 0 && at < bytes.length; at += read) {
      read = readSync(fd, bytes, at, bytes.length - at, at);
    }
    return bytes.subarray(0, at);
  } finally {
    closeSync(fd);
  }
}

/** The whole records of a journal, and how far they reach. */
export function readJournal(path: string): { records: JournalRecord[]; length: number; size: number } {
  const bytes = readWhole(path);
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
