import { anyOf, type Call, type Db, inPieces } from "edgehelm";
import { isLive, type Tables } from "./store.ts";

/** Little enough to hold nobody up. */
const INDEXED_AT_ONCE = 1000;

/** Keeps the search index of names, behind what is created and deleted. */
export function nsDomainSearch(db: Db<Tables>) {
  const next = db.query((q, p: { limit: number }) =>
    q.selectFrom("nsDomains").select("id")
      .where("id", ">", (state) => state.selectFrom("nsDomainSearchState").select("indexedId"))
      .orderBy("id").limit(p.limit)
  );
  const add = db.query((q, p: { after: bigint; last: bigint }) =>
    q.insertInto("nsDomainSearch").columns(["rowid", "name"]).expression((e) =>
      e.selectFrom("nsDomains").select(["id as rowid", "name"]).where(isLive).where("id", ">", p.after)
        .where("id", "<=", p.last).orderBy("id")
    )
  );
  const state = db.query((q) => q.selectFrom("nsDomainSearchState").select("indexedId"));
  const setState = db.query((q, p: { last: bigint }) =>
    q.updateTable("nsDomainSearchState").set({ indexedId: p.last })
  );
  const removals = db.query((q, p: { limit: number }) =>
    q.selectFrom("nsDomainSearchRemovals").select("nsDomainId as id").limit(p.limit)
  );
  const remove = db.query((q, p: { ids: bigint[] }) =>
    q.deleteFrom("nsDomainSearch").where("rowid", "in", anyOf(p.ids))
  );
  const endRemovals = db.query((q, p: { ids: bigint[] }) =>
    q.deleteFrom("nsDomainSearchRemovals").where("nsDomainId", "in", anyOf(p.ids))
  );

  async function addSome(call: Call): Promise<number> {
    const ids = await next.all(call, { limit: INDEXED_AT_ONCE });
    const last = ids.at(-1)?.id;
    if (last === undefined) return 0;
    await add.run(call, { after: (await state.one(call, {})).indexedId, last });
    await setState.run(call, { last });
    return ids.length;
  }

  async function removeSome(call: Call): Promise<number> {
    const ids = (await removals.all(call, { limit: INDEXED_AT_ONCE })).map(({ id }) => id);
    if (ids.length === 0) return 0;
    await remove.run(call, { ids });
    await endRemovals.run(call, { ids });
    return ids.length;
  }

  return {
    /** Brings the index up to date, a piece at a time. */
    async catchUp(call: Call): Promise<void> {
      for (const some of [addSome, removeSome]) await inPieces(call, INDEXED_AT_ONCE, some);
    },
  };
}
