import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { SegmentInfo } from "../../search/segment.ts";
import { checksum } from "./codec.ts";
import { readInfo } from "./segment_file.ts";
import { syncFolder } from "./sync_folder.ts";

const JOURNAL = /^journal-(\d+)\.log$/;
const SEGMENT = /^[0-9]+-[0-9]+-[0-9]+\.seg$/;
const DAY = /^\d{8}$/;

/** A damaged file of a store. */
export interface Damage {
  readonly name: string;
  readonly error: string;
}

/** The files of a store: journals, and for each day a folder with its segments. */
export class Directory {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
    mkdirSync(path, { recursive: true });
  }

  journalPath(generation: number): string {
    return join(this.path, `journal-${String(generation).padStart(9, "0")}.log`);
  }

  /** Returns the generations that have a journal, in ascending order. */
  journals(): number[] {
    return readdirSync(this.path).flatMap((name) => JOURNAL.exec(name)?.[1] ?? []).map(Number).sort((a, b) => a - b);
  }

  removeJournal(generation: number): void {
    rmSync(this.journalPath(generation), { force: true });
    syncFolder(this.path);
  }

  /** Reads the metadata of all segments; deletes unfinished files and segments that were replaced by a merge. */
  segments(): { infos: SegmentInfo[]; damages: Damage[] } {
    const found = new Map<string, SegmentInfo>();
    const damages: Damage[] = [];
    const replaced = new Set<string>();
    const folders = readdirSync(this.path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const { name: day } of folders.filter(({ name }) => DAY.test(name))) {
      for (const file of readdirSync(join(this.path, day))) {
        const name = `${day}/${file}`;
        if (file.endsWith(".tmp")) rmSync(join(this.path, name), { force: true });
        if (!SEGMENT.test(file)) continue;
        try {
          const { info, replaces } = readInfo(this.path, name);
          found.set(name, info);
          for (const other of replaces) replaced.add(other);
        } catch (error) {
          damages.push({ name, error: error instanceof Error ? error.message : String(error) });
        }
      }
    }
    for (const name of replaced) {
      this.removeSegment(name);
      found.delete(name);
    }
    return { infos: [...found.values()], damages: damages.filter(({ name }) => !replaced.has(name)) };
  }

  removeSegment(name: string): void {
    for (const path of [name, `${name}.removed`]) rmSync(join(this.path, path), { force: true });
  }

  removeDay(day: number): void {
    rmSync(join(this.path, String(day)), { recursive: true, force: true });
    syncFolder(this.path);
  }

  dayFolder(day: number): string {
    const path = join(this.path, String(day));
    mkdirSync(path, { recursive: true });
    return path;
  }

  /** Writes the removed rows of a segment atomically. */
  writeRemoved(name: string, words: Uint32Array): void {
    const path = join(this.path, `${name}.removed`);
    const bytes = new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
    const fd = openSync(`${path}.tmp`, "w");
    try {
      writeSync(fd, bytes);
      writeSync(fd, new Uint8Array(Uint32Array.of(checksum(bytes)).buffer));
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(`${path}.tmp`, path);
    syncFolder(join(path, ".."));
  }
}
