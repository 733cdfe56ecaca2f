import type { ColumnType } from "kysely";

/** An INTEGER column that holds 0 or 1: written as a boolean, read as the bigint that it is. */
export type Flag = ColumnType<bigint, boolean | bigint, boolean | bigint>;

/** A flag whose column has a default. */
export type DefaultFlag = ColumnType<bigint, boolean | bigint | undefined, boolean | bigint>;
