import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Call } from "../../base/call.ts";
import type { Db } from "../database.ts";

/** The number of references of one row on the first page, the maximum on a page, and the factor by which pages grow. */
const [FIRST_PAGE, MAX_PAGE, GROWTH] = [100, 5000, 4];

/** The columns in which rows refer to rows of another plugin: those of a table of links, or of the rows themselves. */
export interface ReferenceColumns<Table extends string = string> {
  readonly table: Table;
  /** The column with the id of the row of the other plugin; 0 refers to none. It needs an index together with `id`. */
  readonly target: string;
  /** The column with the id of the row that refers to it. */
  readonly id: string;
}

/** Returns which of the rows that refer to others count. */
export type ReferenceFilter = (call: Call, ids: readonly bigint[]) => Promise<ReadonlySet<bigint>>;

type Cursor = readonly [target: bigint, after: bigint];

/**
 * Returns a function that returns the targets to which at least one row refers that counts. It reads references in pages,
 * and only until one is found, because there may be very many to one target.
 *
 * @param isPossible a condition in SQL on the alias `link` that references which count fulfil
 *
 * @example
 * ```ts
 * import { referencePages } from "edgehelm/rows";
 *
 * const groups = referencePages(db, { table: "policyGroups", target: "groupId", id: "policyId" });
 * const used = await groups(call, groupIds, async (call, policyIds) => await ownPolicies(call, policyIds));
 * ```
 */
export function referencePages<Tables>(
  db: Db<Tables>,
  { table, target, id }: ReferenceColumns<keyof Tables & string>,
  isPossible: RawBuilder<unknown> = sql`true`,
): (call: Call, targets: readonly bigint[], counted: ReferenceFilter) => Promise<readonly bigint[]> {
  const [targetColumn, idColumn] = [sql.ref(`link.${target}`), sql.ref(`link.${id}`)];
  const page = db.query((q: Kysely<Tables>, p: { cursors: readonly Cursor[]; limit: number }) =>
    (q as unknown as Kysely<Record<never, never>>).selectFrom(
      sql<{ target: bigint }>`(select value ->> 0 as target, value ->> 1 as after from json_each(${p.cursors}))`
        .as("position"),
    ).select([
      "target",
      sql<string>`coalesce((select group_concat(id) from (
        select ${idColumn} as id from ${sql.table(table)} as link
        where ${targetColumn} = position.target and ${targetColumn} <> 0 and ${idColumn} > position.after
          and ${isPossible} order by ${idColumn} limit ${p.limit})), '')`.as("ids"),
    ])
  );

  return async (call, targets, counted) => {
    const found: bigint[] = [];
    let cursors: readonly Cursor[] = targets.map((each) => [each, 0n]);
    for (let limit = FIRST_PAGE; cursors.length > 0; limit = Math.min(limit * GROWTH, MAX_PAGE)) {
      const pages = (await page.all(call, { cursors, limit })).map((row) => ({ ...row, ids: idsIn(row.ids) }));
      const referring = [...new Set(pages.flatMap(({ ids }) => ids))];
      if (referring.length === 0) return found;
      const matching = await counted(call, referring);
      const hasMatch = ({ ids }: { ids: readonly bigint[] }) => ids.some((each) => matching.has(each));
      found.push(...pages.filter(hasMatch).map((each) => each.target));
      cursors = pages.filter((each) => !hasMatch(each) && each.ids.length === limit)
        .map((each) => [each.target, each.ids.at(-1)!]);
    }
    return found;
  };
}

function idsIn(text: string): bigint[] {
  return text === "" ? [] : text.split(",").map(BigInt);
}
