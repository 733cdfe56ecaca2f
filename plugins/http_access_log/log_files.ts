import type { Call } from "edgehelm";

/** The host part of the plugin: the files that are imported and exported. */
export interface LogFiles {
  /** Reads the lines of a text file, which is gzip if its name ends in .gz. Overlong lines are truncated. */
  lines(call: Call, path: string): AsyncIterable<FileLine>;
  /** Creates a text file, with gzip if its name ends in .gz. It appears under its name when it is closed. */
  create(call: Call, path: string): Promise<TextFile>;
}

/** A line of a file. */
export interface FileLine {
  readonly text: string;
  /** The percentage of the file that has been read. */
  readonly percent: number;
}

/** A text file that is being written. */
export interface TextFile {
  write(text: string): Promise<void>;
  close(): Promise<void>;
  /** Deletes the unfinished file. */
  discard(): Promise<void>;
}
