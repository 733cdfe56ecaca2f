import { sql } from "kysely";
import type { Call } from "../../base/call.ts";
import type { Db } from "../database.ts";
import type { Query } from "../query.ts";
import { addCounts, type CountedRows } from "./counting.ts";
import type { ListShape } from "./declaration.ts";

/** Returns the function that counts inserted rows, for lists without a trigger that counts them. */
export function insertedCounts(
  db: Db<unknown>,
  list: ListShape,
): (call: Call, ids: readonly bigint[]) => Promise<void> {
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
  return async (call, ids) => {
    const [id] = ids;
    if (ids.length === 1) await countOne.defer(call, { value: id! });
    else if (ids.length > 1) await countAll.defer(call, { value: ids });
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
