import type { ColumnType } from "kysely";

/** An INTEGER column that holds 0 or 1: written as a boolean, read as the bigint that it is. */
export type Flag = ColumnType<bigint, boolean | bigint, boolean | bigint>;

/** A flag whose column has a default. */
export type DefaultFlag = ColumnType<bigint, boolean | bigint | undefined, boolean | bigint>;

/** An INTEGER column for an int32 field: written as a number, read as the bigint that it is. */
export type Int32 = ColumnType<bigint, number | bigint, number | bigint>;

/** An int32 column that has a default. */
export type DefaultInt32 = ColumnType<bigint, number | bigint | undefined, number | bigint>;
