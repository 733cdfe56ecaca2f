/**
 * A column with values that the contract `Secrets` sealed. Plugins declare theirs, so that the values are sealed again
 * after a rotation of the installation key, without calling the plugin.
 *
 * @example
 * ```ts
 * import type { SealedColumn } from "edgehelm/auth";
 *
 * const sealed: readonly SealedColumn[] = [{ table: "doors", column: "secret", row: "uniqueId" }];
 * ```
 */
export interface SealedColumn {
  /** The table, also that of the place for which values are sealed. It must have row numbers. */
  readonly table: string;
  /** The column, also that of the place. Values that are not sealed, such as empty ones, stay as they are. */
  readonly column: string;
  /** The row of the place, as an SQL expression on the columns of the table, such as `uniqueId`. */
  readonly row: string;
}
