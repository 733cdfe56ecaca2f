import type { ColumnType, Generated } from "kysely";

/**
 * The type of an INTEGER column that holds 0 or 1. It accepts booleans and is read as a bigint.
 *
 * @example
 * ```ts
 * import type { DefaultFlag, Flag } from "edgehelm";
 * import type { Int32 } from "edgehelm/storage";
 *
 * interface Tables {
 *   plans: { id: bigint; isOn: Flag; isDeleted: DefaultFlag; weight: Int32 };
 * }
 * ```
 */
export type Flag = ColumnType<bigint, boolean | bigint, boolean | bigint>;

/** The type of a {@link Flag} column with a default value. */
export type DefaultFlag = ColumnType<bigint, boolean | bigint | undefined, boolean | bigint>;

/** The type of an INTEGER column for an int32 field. It accepts numbers and is read as a bigint. */
export type Int32 = ColumnType<bigint, number | bigint, number | bigint>;

/** The type of an {@link Int32} column with a default value. */
export type DefaultInt32 = ColumnType<bigint, number | bigint | undefined, number | bigint>;

/**
 * The columns of a table with an id and soft deletion: the given ones, `id` and `state`.
 *
 * @example
 * ```ts
 * import type { DefaultFlag } from "edgehelm";
 * import type { LiveTable } from "edgehelm/rows";
 *
 * interface Tables {
 *   plans: LiveTable<{ name: string; isOn: DefaultFlag }>;
 * }
 * ```
 */
export type LiveTable<Columns> = { id: Generated<bigint>; state: Generated<bigint> } & Columns;
