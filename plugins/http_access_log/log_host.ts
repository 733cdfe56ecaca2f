import type { Call, Clock, Logger } from "edgehelm";
import type { LogStore } from "./log_store.ts";

/** The dependencies of a store outside the database. */
export interface StoreDeps {
  readonly clock: Clock;
  readonly log: Logger;
  /** The number of logs in a partition of a day before the next one begins. */
  readonly partitionRows: bigint;
}

/** A store that holds resources until it is closed. */
export interface OpenLogStore {
  readonly store: LogStore;
  /** Finishes background work and releases all resources. */
  close(): Promise<void>;
}

/** The host part of the plugin: stores outside the database, free disk space, and files. */
export interface LogHost {
  /** Store factories by their name in the configuration; each is called at most once. */
  readonly stores: {
    readonly segments?: (deps: StoreDeps) => OpenLogStore;
    readonly clickhouse?: (deps: StoreDeps) => OpenLogStore;
  };
  /** The free and total bytes of the disk that holds the segments. */
  space(call: Call): Promise<{ readonly freeBytes: bigint; readonly totalBytes: bigint }>;
  /** Reads the lines of a text file, which is gzip if its name ends in .gz. Overlong lines are truncated. */
  lines(call: Call, path: string): AsyncIterable<FileLine>;
  /** Creates a text file, with gzip if its name ends in .gz. It appears under its name when it is closed. */
  create(call: Call, path: string): Promise<TextFile>;
}

/** A line of a file. */
export interface FileLine {
  readonly text: string;
  /** The percentage of the file that has been read; undefined if its size is unknown. */
  readonly percent: number | undefined;
}

/** A text file that is being written. */
export interface TextFile {
  write(text: string): Promise<void>;
  close(): Promise<void>;
  /** Deletes the unfinished file. */
  discard(): Promise<void>;
}
