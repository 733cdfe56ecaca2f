import type { SqlResult } from "../engine.ts";
import type { ReadRequest } from "./read_prefetcher.ts";

/** A nearby copy of a remote database that lags slightly behind. */
export interface ReadReplica {
  /**
   * Reads from one state of the copy. That state is younger than the maximum age of the copy, and contains everything
   * that was written before {@link ReadReplica.invalidate} was called.
   *
   * @param requests checked, and known to only read
   * @returns undefined if the copy cannot guarantee such a state soon enough; the database must be read then
   */
  read(requests: readonly ReadRequest[]): Promise<readonly SqlResult[] | undefined>;
  /** Declares that this instance has written to the database. */
  invalidate(): void;
  close(): Promise<void>;
}
