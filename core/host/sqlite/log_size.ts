import { readSync } from "node:fs";
import { heldDescriptor } from "./held_descriptors.ts";

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** Where the index of the write-ahead log has the size of pages and the number of frames, in the machine's byte order. */
const PAGE_SIZE_OFFSET = 14;
const FRAMES_OFFSET = 16;

/**
 * The size of the part of a write-ahead log that is in use. The file may be longer: after a checkpoint the log begins
 * again in the same file, because writing over a file costs less than making it grow.
 */
export class LogSize {
  readonly #index: number;
  readonly #bytes = new Uint8Array(FRAMES_OFFSET + 4);
  readonly #view = { pageSize: new Uint16Array(this.#bytes.buffer), frames: new Uint32Array(this.#bytes.buffer) };

  /** @param path the path of a database that a connection has open */
  constructor(path: string) {
    this.#index = heldDescriptor(`${path}-shm`);
  }

  get bytes(): number {
    readSync(this.#index, this.#bytes, 0, this.#bytes.length, 0);
    const frames = this.#view.frames[FRAMES_OFFSET / 4]!;
    const pageSize = this.#view.pageSize[PAGE_SIZE_OFFSET / 2]!;
    // A page of 64 KiB does not fit into the field and is 1.
    return frames === 0 ? 0 : HEADER_BYTES + frames * (FRAME_HEADER_BYTES + (pageSize === 1 ? 65_536 : pageSize));
  }
}
