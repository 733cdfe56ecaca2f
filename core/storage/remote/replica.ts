import type { SqlResult } from "../engine.ts";
import type { Question } from "./read_prefetcher.ts";

/** A copy of a remote database that is near, and a little behind. */
export interface ReadReplica {
  /**
   * Reads one state of the copy that is younger than the copy's greatest age, and has everything that was written
   * before {@link ReadReplica.outdate} was told of it. Undefined when the copy cannot say, or not soon enough: the
   * database itself has to be asked then.
   *
   * @param questions checked, and known to read only
   */
  read(questions: readonly Question[]): Promise<readonly SqlResult[] | undefined>;
  /** Says that this instance has written to the database. */
  outdate(): void;
  close(): Promise<void>;
}
