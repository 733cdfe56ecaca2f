import { Buffer } from "node:buffer";
import { readSync } from "node:fs";
import { endianness } from "node:os";
import { heldDescriptor } from "./held_descriptors.ts";

/** The places of the page size and of the number of valid frames in the header of the index (walformat.html of SQLite). */
const PAGE_SIZE_OFFSET = 14;
const FRAMES_OFFSET = 16;
const HEADER_BYTES = 20;
const FRAME_HEADER_BYTES = 24;
/** SQLite writes a page size of 65,536 bytes as 1. */
const LARGEST_PAGE = 65_536;

/** The index of a write-ahead log, which SQLite keeps beside it as long as the database is open. */
export class LogIndex {
  readonly #path: string;
  readonly #header = Buffer.alloc(HEADER_BYTES);
  #file: number | undefined;

  /** @param path the path of the database file */
  constructor(path: string) {
    this.#path = `${path}-shm`;
  }

  /**
   * Returns the bytes of the log that are in use. Its file may be larger: SQLite writes from its beginning again when
   * everything was moved, because writing over a file costs half as much as extending it.
   */
  bytes(): number {
    this.#file ??= heldDescriptor(this.#path);
    readSync(this.#file, this.#header, 0, HEADER_BYTES, 0);
    const isLittle = endianness() === "LE";
    const page = isLittle ? this.#header.readUInt16LE(PAGE_SIZE_OFFSET) : this.#header.readUInt16BE(PAGE_SIZE_OFFSET);
    const frames = isLittle ? this.#header.readUInt32LE(FRAMES_OFFSET) : this.#header.readUInt32BE(FRAMES_OFFSET);
    return frames * (FRAME_HEADER_BYTES + (page === 1 ? LARGEST_PAGE : page));
  }
}
