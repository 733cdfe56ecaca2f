import type { Chunks } from "../format/pieces.ts";

/** A file in a store. */
export interface StoredFile {
  readonly name: string;
  readonly bytes: number;
}

/** Keeps backups. A name either has its whole content or does not exist. */
export interface BackupStore {
  /** The place, for people. */
  readonly place: string;
  /** @param bytes the size of all chunks together */
  put(name: string, bytes: number, chunks: Chunks, signal: AbortSignal): Promise<void>;
  /** Reads a file. @throws StartupError if it does not exist */
  get(name: string, signal: AbortSignal): Promise<{ readonly bytes: number; readonly chunks: Chunks }>;
  /** Returns the backups of all installations that use the store, and no other files. */
  list(signal: AbortSignal): Promise<StoredFile[]>;
  /** Removes a file, if it exists. */
  remove(name: string, signal: AbortSignal): Promise<void>;
}

/** The maximum number of files that a store lists. */
export const MAX_FILES = 100_000;
