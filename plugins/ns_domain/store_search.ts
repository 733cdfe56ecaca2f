import { anyOf, type Call, type Db } from "edgehelm";
import { inBatches, type TrigramIndex, trigramIndex } from "edgehelm/storage";
import type { Tables } from "./store.ts";

/** The number of index entries that one transaction deletes: small enough not to delay other writers. */
const DELETE_BATCH_SIZE = 1000;

/** Returns the search index of names. */
export function nsDomainNames(db: Db<Tables>): TrigramIndex {
  return trigramIndex(db, {
    rows: "nsDomains",
    index: "nsDomainSearch",
    state: "nsDomainSearchState",
    columns: ["name"],
  });
}

/**
 * Returns the job that updates the search index after domains were created or deleted. A domain that is deleted before
 * it is indexed is first added to the index and then removed from it.
 */
export function nsDomainIndexing(db: Db<Tables>, names: TrigramIndex) {
  const deleted = db.query((q, p: { limit: number }) =>
    q.selectFrom("nsDomainSearchRemovals").select("nsDomainId as id")
      .where("nsDomainId", "<=", (state) => state.selectFrom("nsDomainSearchState").select("indexedId"))
      .limit(p.limit)
  );
  const deleteRemovals = db.query((q, p: { ids: bigint[] }) =>
    q.deleteFrom("nsDomainSearchRemovals").where("nsDomainId", "in", anyOf(p.ids))
  );

  async function deleteSome(call: Call, limit: number): Promise<number> {
    const ids = (await deleted.all(call, { limit })).map(({ id }) => id);
    if (ids.length === 0) return 0;
    await names.remove.run(call, { ids });
    await deleteRemovals.run(call, { ids });
    return ids.length;
  }

  return async (call: Call): Promise<void> => {
    await names.catchUp(call);
    await inBatches(call, DELETE_BATCH_SIZE, deleteSome);
  };
}
