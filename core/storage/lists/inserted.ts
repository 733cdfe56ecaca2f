import { type RawBuilder, sql } from "kysely";
import type { Call } from "../../base/call.ts";
import type { Db } from "../database.ts";
import type { SqlValue } from "../engine.ts";
import type { Query } from "../query.ts";
import { addCounts, addCountsOf, type CountedRows, subsets } from "./counting.ts";
import type { ListShape } from "./declaration.ts";

/** The values of a row in the columns by which it is counted. */
type RowValues = Readonly<Record<string, SqlValue>>;

/** Returns the function that counts inserted rows, for lists without a trigger that counts them. */
export function insertedCounts(
  db: Db<unknown>,
  list: ListShape,
): (call: Call, ids: readonly bigint[], values?: RowValues) => Promise<void> {
  const rows = { row: "t", n: "count(*)", isGrouped: true };
  const table = `"${list.table}" as t`;
  const countAll = countStatement<readonly bigint[]>(db, list, {
    ...rows,
    from: `json_each(?) as item cross join ${table}`,
    where: "t.id = item.value",
  });
  // costs half as much as counting a list of one
  const countOne = countStatement<bigint>(db, list, {
    ...rows,
    from: table,
    where: "t.id = ?",
    n: "1",
    isGrouped: false,
  });
  const countKnown = knownStatements(db, list);
  return async (call, ids, values) => {
    const [id] = ids;
    if (ids.length > 1) await countAll.defer(call, { value: ids });
    else if (id !== undefined) {
      const isKnown = values !== undefined && list.links.every(({ column }) => values[column] === "[]");
      if (isKnown) await countKnown(values).defer(call, { ...values, id });
      else await countOne.defer(call, { value: id });
    }
  };
}

function countStatement<Value>(
  db: Db<unknown>,
  list: ListShape,
  rows: CountedRows & { readonly n: string },
): Query<{ value: Value }, unknown> {
  const [start = "", end = ""] = addCounts(list, rows).split("?");
  return db.query((q, p: { value: Value }) => ({
    compile: () => sql`${sql.raw(start)}${p.value}${sql.raw(end)}`.compile(q),
  }));
}

/** Returns the statement that counts a row in no link by its values, which takes half the time of reading them. */
function knownStatements(db: Db<unknown>, list: ListShape): (values: RowValues) => Query<RowValues, unknown> {
  const statements = new Map(
    subsets(list.scopes).map((scopes) => [scopes.join(), knownStatement(db, list, scopes)]),
  );
  return (values) => statements.get(list.scopes.filter((scope) => values[scope] !== 0n).join())!;
}

/** @param scopes those that are not 0 in the row */
function knownStatement(db: Db<unknown>, list: ListShape, scopes: readonly string[]): Query<RowValues, unknown> {
  const named = (column: string) => `?${column}?`;
  const text = addCountsOf(list, {
    id: named("id"),
    scopes: Object.fromEntries(scopes.map((scope) => [scope, named(scope)])),
    choices: list.choices.map(named),
    day: named(list.days ?? ""),
  });
  const parts = text.split("?");
  return db.query((q, p: RowValues) => ({
    compile() {
      const fragments = parts.map((part, index): RawBuilder<unknown> =>
        index % 2 === 0 ? sql.raw(part) : sql`${p[part]}`
      );
      return sql.join(fragments, sql.raw("")).compile(q);
    },
  }));
}
