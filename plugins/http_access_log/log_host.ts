import type { Call, Clock, Logger } from "edgehelm";
import type { LogStore } from "./log_store.ts";

/** What a store outside of the database is made with. */
export interface StoreDeps {
  readonly clock: Clock;
  readonly log: Logger;
  /** After how many logs of a day a new partition begins. */
  readonly partitionRows: bigint;
}

/** A store with something open. */
export interface OpenLogStore {
  readonly store: LogStore;
  /** Finishes what it does in the background. */
  close(): Promise<void>;
}

/** What the machine offers to access logs: stores outside of the database, the space of the disk, and files. */
export interface LogHost {
  /** Makers of stores by the name that the configuration has for them; each is asked at most once. */
  readonly stores: {
    readonly segments?: (surroundings: StoreDeps) => OpenLogStore;
    readonly clickhouse?: (surroundings: StoreDeps) => OpenLogStore;
  };
  /** What is free on the disk of the segments, and how large it is. */
  space(call: Call): Promise<{ readonly freeBytes: bigint; readonly totalBytes: bigint }>;
  /** The lines of a text file, gzip when its name ends in .gz; one that is too long comes cut. */
  lines(call: Call, path: string): AsyncIterable<FileLine>;
  /** Makes a text file, gzip when its name ends in .gz. It has its name once it is whole. */
  create(call: Call, path: string): Promise<TextFile>;
}

/** A line, and how far it is in the file. */
export interface FileLine {
  readonly text: string;
  /** Of a hundred; undefined where the size is not known. */
  readonly percent: number | undefined;
}

/** A text file that is written. */
export interface TextFile {
  write(text: string): Promise<void>;
  close(): Promise<void>;
  /** Removes what was written. */
  discard(): Promise<void>;
}
