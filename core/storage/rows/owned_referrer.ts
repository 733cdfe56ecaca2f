import { type Kysely, type RawBuilder, sql, type SqlBool } from "kysely";
import type { Call } from "../../base/call.ts";
import type { Db } from "../database.ts";
import { type ReferenceColumns, referencePages } from "./reference_pages.ts";
import type { Referrer } from "./sharing.ts";

/** Returns which rows of the installation are shared with a user. */
type SharedWith = (call: Call, ids: readonly bigint[], userId: bigint) => Promise<ReadonlySet<bigint>>;

/**
 * Reports references of rows that have an owner. Its statements find one row of the owner in question, however many rows
 * refer to the same target; only rows of the installation are read in pages, because others decide with whom each is shared.
 */
export function ownedReferrer<Tables>(
  db: Db<Tables>,
  table: keyof Tables & string,
  columns: ReferenceColumns,
  sharedWith: SharedWith,
): Referrer {
  const owned = (condition: RawBuilder<unknown>) => ownedBy(table, columns, condition);
  const referred = (owner: (userId: bigint) => RawBuilder<unknown>) =>
    db.query((q: Kysely<Tables>, p: { ids: readonly bigint[]; userId: bigint }) =>
      (q as unknown as Kysely<Record<never, never>>)
        .selectFrom(sql<{ value: bigint }>`json_each(${p.ids})`.as("wanted")).select("value")
        .where(sql<SqlBool>`exists (select 1 from ${sql.table(columns.table)} as link
          where ${sql.ref(`link.${columns.target}`)} = wanted.value and ${sql.ref(`link.${columns.target}`)} <> 0
            and ${owned(owner(p.userId))})`)
    );
  const [byOwner, byOthers] = [referred((id) => sql`= ${id}`), referred((id) => sql`<> ${id}`)];
  const byInstallation = referencePages(
    db as unknown as Db<Record<string, unknown>>,
    columns,
    owned(sql`= 0`),
  );

  return {
    async referredFor(call, ids, userId) {
      const own = new Set((await byOwner.all(call, { ids, userId })).map(({ value }) => value));
      const others = ids.filter((id) => !own.has(id));
      const shared = await byInstallation(call, others, (inner, common) => sharedWith(inner, common, userId));
      return [...own, ...shared];
    },
    async referredByOthers(call, ids, userId) {
      return (await byOthers.all(call, { ids, userId })).map(({ value }) => value);
    },
  };
}

/** Returns the condition that the row with a reference is live and has an owner. */
function ownedBy(table: string, { table: links, id }: ReferenceColumns, owner: RawBuilder<unknown>) {
  if (links === table) return sql`link.state = 1 and link.userId ${owner}`;
  return sql`exists (select 1 from ${sql.table(table)} as owned
    where owned.id = ${sql.ref(`link.${id}`)} and owned.state = 1 and owned.userId ${owner})`;
}
