import { anyOf, type Call, type Db, inBatches, type TrigramIndex, trigramIndex } from "edgehelm";
import type { Tables } from "./store.ts";

/** Little enough to hold nobody up. */
const REMOVED_AT_ONCE = 1000;

/** The search index of names. */
export function nsDomainNames(db: Db<Tables>): TrigramIndex {
  return trigramIndex(db, {
    rows: "nsDomains",
    index: "nsDomainSearch",
    state: "nsDomainSearchState",
    columns: ["name"],
  });
}

/** Keeps the search index behind what is created and deleted; what is deleted before it came into it goes in and out. */
export function nsDomainIndexing(db: Db<Tables>, names: TrigramIndex) {
  const deleted = db.query((q, p: { limit: number }) =>
    q.selectFrom("nsDomainSearchRemovals").select("nsDomainId as id")
      .where("nsDomainId", "<=", (state) => state.selectFrom("nsDomainSearchState").select("indexedId"))
      .limit(p.limit)
  );
  const forget = db.query((q, p: { ids: bigint[] }) =>
    q.deleteFrom("nsDomainSearchRemovals").where("nsDomainId", "in", anyOf(p.ids))
  );

  async function removeSome(call: Call, limit: number): Promise<number> {
    const ids = (await deleted.all(call, { limit })).map(({ id }) => id);
    if (ids.length === 0) return 0;
    await names.remove.run(call, { ids });
    await forget.run(call, { ids });
    return ids.length;
  }

  return async (call: Call): Promise<void> => {
    await names.catchUp(call);
    await inBatches(call, REMOVED_AT_ONCE, removeSome);
  };
}
