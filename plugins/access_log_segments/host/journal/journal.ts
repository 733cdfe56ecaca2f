import { closeSync, fdatasync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import { syncFolder } from "../files/sync_folder.ts";

const sync = promisify(fdatasync);
/** The header of a record: the length of its content and a checksum (32 bits each), the kind, three unused bytes. */
const HEADER_LENGTH = 12;

export const RECORD = { batch: 1, dropDay: 2, remove: 3 } as const;

const NO_BYTES = new Uint8Array(0);

/** A record to append: an optional prefix, followed by `bytes`. */
export interface NewRecord {
  readonly kind: number;
  readonly prefix?: Uint8Array;
  readonly bytes: Uint8Array;
}

/** A record read from a journal; its content is in `bytes` between `from` and `to`. */
export interface JournalRecord {
  readonly kind: number;
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/** An append-only file of records that survive a crash. */
export class Journal {
  readonly path: string;
  #fd: number;
  /** The length of the file up to the last complete record. */
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

  /** Reopens a file and truncates it to `length`. */
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

  /** Appends records and resolves when they are durable. After an error none of them is in the journal. */
  async append(records: readonly NewRecord[]): Promise<void> {
    let end = this.#length;
    try {
      for (const record of records) {
        end = this.#write(headerOf(record), end);
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

  /** Writes one buffer, since some hosts first copy several into one; returns the position after it. */
  #write(bytes: Uint8Array, from: number): number {
    for (let at = 0; at < bytes.length;) at += writeSync(this.#fd, bytes, at, bytes.length - at, from + at);
    return from + bytes.length;
  }
}

/** Returns the header of a record with its prefix. */
function headerOf({ kind, prefix = NO_BYTES, bytes }: NewRecord): Uint8Array {
  const head = new Uint8Array(HEADER_LENGTH + prefix.length);
  const view = new DataView(head.buffer);
  const length = prefix.length + bytes.length;
  view.setUint32(0, length, true);
  // the checksum covers kind and length, so that a run of zeros is not a valid record
  const sum = crc32(bytes, crc32(prefix));
  view.setUint32(4, crc32(Uint8Array.of(kind, length, length >>> 8, length >>> 16, length >>> 24), sum), true);
  head[8] = kind;
  head.set(prefix, HEADER_LENGTH);
  return head;
}

/** Reads a file without the extra copy that `readFileSync` makes on some hosts. */
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

/** Reads the complete records of a journal; `length` is their size, which is below the file size after a crash. */
export function readJournal(path: string): { records: JournalRecord[]; length: number; size: number } {
  const bytes = readWhole(path);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const records: JournalRecord[] = [];
  let at = 0;
  while (at + HEADER_LENGTH <= bytes.length) {
    const length = view.getUint32(at, true);
    const kind = bytes[at + 8]!;
    const [from, to] = [at + HEADER_LENGTH, at + HEADER_LENGTH + length];
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
