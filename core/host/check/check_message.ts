/** The outcome of a check of a database. */
export interface CheckMessage {
  /** A line for each damage that was found, up to a limit. */
  readonly damage: readonly string[];
  readonly bytes: number;
  readonly tables: number;
  readonly indexes: number;
}
