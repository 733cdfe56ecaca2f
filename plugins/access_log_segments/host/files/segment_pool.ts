import type { SegmentInfo } from "../../search/segment.ts";
import { SegmentFile } from "./segment_file.ts";

/** The maximum number of segments that a thread keeps open. */
const MAX_OPEN = 128;

/** All segments, and an LRU cache of the open ones. */
export class SegmentPool {
  readonly #directory: string;
  readonly #infos = new Map<string, SegmentInfo>();
  readonly #open = new Map<string, SegmentFile>();
  /** The number of running searches, and the files to close when none is running. */
  #searches = 0;
  #closing: SegmentFile[] = [];

  constructor(directory: string) {
    this.#directory = directory;
  }

  infos(): IterableIterator<SegmentInfo> {
    return this.#infos.values();
  }

  ofDay(day: number): SegmentInfo[] {
    return [...this.#infos.values()].filter((info) => info.day === day);
  }

  has(name: string): boolean {
    return this.#infos.has(name);
  }

  set(info: SegmentInfo): void {
    this.#infos.set(info.name, info);
  }

  /** Updates a segment of which rows were removed. */
  refresh(info: SegmentInfo): void {
    this.#infos.set(info.name, info);
    this.#open.get(info.name)?.refreshRemoved();
  }

  /** @param immediately true to close the file even if searches use it */
  remove(name: string, immediately: boolean): void {
    this.#infos.delete(name);
    this.#closeFile(name, immediately);
  }

  open(info: SegmentInfo): SegmentFile {
    let file = this.#open.get(info.name);
    if (file === undefined) file = new SegmentFile(this.#directory, info);
    else this.#open.delete(info.name);
    this.#open.set(info.name, file);
    if (this.#open.size > MAX_OPEN) this.#closeFile(this.#open.keys().next().value!, false);
    return file;
  }

  /** Runs a search; files that it uses stay open until it ends. */
  async during<Result>(search: () => Promise<Result>): Promise<Result> {
    this.#searches++;
    try {
      return await search();
    } finally {
      if (--this.#searches === 0) { for (const file of this.#closing.splice(0)) file.close(); }
    }
  }

  close(): void {
    for (const file of [...this.#open.values(), ...this.#closing]) file.close();
    this.#open.clear();
  }

  #closeFile(name: string, immediately: boolean): void {
    const file = this.#open.get(name);
    this.#open.delete(name);
    if (file === undefined) return;
    if (immediately || this.#searches === 0) file.close();
    else this.#closing.push(file);
    // continuously overlapping searches must not accumulate open files
    if (this.#closing.length > MAX_OPEN) this.#closing.shift()!.close();
  }
}
