import { type Kysely, sql } from "kysely";
import type { Call } from "../../base/call.ts";
import { inBatches } from "../batches.ts";
import type { Db } from "../database.ts";
import { anyOf } from "../parameters.ts";
import { type TrigramIndex, trigramIndex } from "../trigram_index.ts";
import type { ListShape } from "./declaration.ts";

/** The number of index entries that one transaction replaces: small enough not to delay other writers. */
const BATCH_SIZE = 1000;

/** The names of the tables are known only at run time. */
type AnyTables = Record<string, Record<string, bigint>>;

/** Returns the search index of a list. */
export function listTexts(db: Db<unknown>, { table, search, softDeletion, derived }: ListShape): TrigramIndex {
  return trigramIndex(db as Db<AnyTables>, {
    rows: table,
    index: derived.search,
    state: derived.searchState,
    columns: search,
    ...softDeletion !== undefined && { live: softDeletion },
  });
}

/** Returns the job that adds new rows to the search index, and updates those that were changed or deleted. */
export function indexingJob(db: Db<unknown>, list: ListShape): (call: Call) => Promise<void> {
  const { table, search, softDeletion, derived } = list;
  const tables = db as Db<AnyTables>;
  const texts = listTexts(db, list);
  const next = tables.query((q, p: { limit: number }) =>
    q.selectFrom(derived.searchChanges).select("id").orderBy("id").limit(p.limit)
  );
  const live = (q: Kysely<AnyTables>, ids: readonly bigint[]) =>
    q.selectFrom(table).select(["id as rowid", ...search]).where("id", "in", anyOf(ids)).orderBy("id")
      .$if(softDeletion !== undefined, (rows) => rows.where(softDeletion!, "=", sql.lit(1n)));
  const add = tables.query((q, p: { ids: readonly bigint[] }) =>
    q.insertInto(derived.search).columns(["rowid", ...search]).expression(live(q, p.ids))
  );
  const forget = tables.query((q, p: { ids: readonly bigint[] }) =>
    q.deleteFrom(derived.searchChanges).where("id", "in", anyOf(p.ids))
  );

  async function updateSome(call: Call, limit: number): Promise<number> {
    const ids = (await next.all(call, { limit })).map(({ id }) => id);
    if (ids.length === 0) return 0;
    await texts.remove.run(call, { ids });
    await add.run(call, { ids });
    await forget.run(call, { ids });
    return ids.length;
  }

  return async (call) => {
    await texts.catchUp(call);
    await inBatches(call, BATCH_SIZE, updateSome);
  };
}
