import { type Kysely, sql, type SqlBool } from "kysely";
import type { Call } from "../../base/call.ts";
import { database } from "../../storage/database.ts";
import type { SealedColumn } from "./sealed_column.ts";
import { type Sealer, UnsealError } from "../sealer.ts";

/** Every table, because the kernel seals the values of all plugins again. */
const MAINTENANCE = { owner: "kernel", tables: undefined };
/** The number of rows that a batch reads. */
const BATCH_ROWS = 200;

interface Row {
  readonly id: bigint;
  readonly value: string | null;
  readonly row: string;
}

/** A value under an earlier key, with the same value under the current one; undefined if it could not be opened. */
export interface Resealed {
  readonly id: bigint;
  readonly value: string;
  readonly next: string | undefined;
}

/** The result of reading a batch of rows. */
export interface SealedBatch {
  readonly values: readonly Resealed[];
  /** The last row number; undefined if the column has no further rows. */
  readonly last: bigint | undefined;
}

/** The values of one column. */
export class SealedValues {
  /** The table and the column, separated by a full stop. */
  readonly name: string;
  readonly #column: SealedColumn;
  readonly #select;
  readonly #replace;

  constructor(column: SealedColumn) {
    const { table, row } = column;
    this.#column = column;
    this.name = `${table}.${column.column}`;
    const db = database<Record<string, never>>(MAINTENANCE);
    const value = sql.ref(column.column);
    this.#select = db.query((q: Kysely<Record<never, never>>, p: { after: bigint; limit: number }) =>
      q.selectFrom(sql`${sql.table(table)}`.as("sealed"))
        .select([
          sql<bigint>`sealed.rowid`.as("id"),
          sql<string | null>`sealed.${value}`.as("value"),
          sql<string>`cast(${sql.raw(row)} as text)`.as("row"),
        ])
        .where(sql<SqlBool>`sealed.rowid > ${p.after}`).orderBy(sql`sealed.rowid`).limit(p.limit)
    );
    this.#replace = db.query((q: Kysely<Record<string, Record<string, unknown>>>, p: Required<Resealed>) =>
      q.updateTable(table).set({ [column.column]: p.next })
        .where(sql<SqlBool>`rowid = ${p.id}`).where(sql<SqlBool>`${value} = ${p.value}`)
    );
  }

  /** Reads a batch of rows, and seals the values under earlier keys again, without storing them. */
  async read(call: Call, after: bigint, ring: Sealer, earlier: ReadonlySet<string>): Promise<SealedBatch> {
    const rows: readonly Row[] = await this.#select.all(call, { after, limit: BATCH_ROWS });
    const old = rows.filter(({ value }) => earlier.has(keyIdOf(value)));
    const values = await Promise.all(old.map((row) => this.#reseal(row, ring)));
    return { values, last: rows.length < BATCH_ROWS ? undefined : rows.at(-1)!.id };
  }

  async #reseal({ id, value, row }: Row, ring: Sealer): Promise<Resealed> {
    const { table, column } = this.#column;
    const place = { table, column, row };
    try {
      return { id, value: value!, next: await ring.seal(await ring.open(value!, place), place) };
    } catch (error) {
      if (!(error instanceof UnsealError)) throw error;
      return { id, value: value!, next: undefined };
    }
  }

  /** Stores a value under the current key, unless it was changed since it was read. */
  async replace(call: Call, resealed: Resealed): Promise<void> {
    if (resealed.next !== undefined) await this.#replace.run(call, { ...resealed, next: resealed.next });
  }
}

/** Returns the id of the key that a value is sealed with; empty for a value that is not sealed. */
function keyIdOf(value: unknown): string {
  const [version, keyId, , , ...rest] = typeof value === "string" ? value.split(".") : [];
  return version === "v1" && keyId !== undefined && rest.length === 0 ? keyId : "";
}
