import type { SegmentInfo } from "../../segments/segment.ts";
import { SegmentFile } from "./segment_file.ts";

/** Segments that one thread keeps open, at most. */
const MAX_OPEN = 128;

/** The segments that there are, and those of them that are open, the latest used last. */
export class SegmentPool {
  readonly #directory: string;
  readonly #infos = new Map<string, SegmentInfo>();
  readonly #open = new Map<string, SegmentFile>();
  /** Searches that go on, and what is closed when none does. */
  #searches = 0;
  #leaving: SegmentFile[] = [];

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

  /** A segment of which rows were removed. */
  refresh(info: SegmentInfo): void {
    this.#infos.set(info.name, info);
    this.#open.get(info.name)?.refreshRemoved();
  }

  /** @param atOnce also for searches that use it */
  remove(name: string, atOnce: boolean): void {
    this.#infos.delete(name);
    this.#closeFile(name, atOnce);
  }

  open(info: SegmentInfo): SegmentFile {
    let file = this.#open.get(info.name);
    if (file === undefined) file = new SegmentFile(this.#directory, info);
    else this.#open.delete(info.name);
    this.#open.set(info.name, file);
    if (this.#open.size > MAX_OPEN) this.#closeFile(this.#open.keys().next().value!, false);
    return file;
  }

  /** Keeps open what a search uses until it is through. */
  async during<Result>(search: () => Promise<Result>): Promise<Result> {
    this.#searches++;
    try {
      return await search();
    } finally {
      if (--this.#searches === 0) { for (const file of this.#leaving.splice(0)) file.close(); }
    }
  }

  close(): void {
    for (const file of [...this.#open.values(), ...this.#leaving]) file.close();
    this.#open.clear();
  }

  #closeFile(name: string, atOnce: boolean): void {
    const file = this.#open.get(name);
    this.#open.delete(name);
    if (file === undefined) return;
    if (atOnce || this.#searches === 0) file.close();
    else this.#leaving.push(file);
    // searches that never leave a gap must not keep ever more open
    if (this.#leaving.length > MAX_OPEN) this.#leaving.shift()!.close();
  }
}
