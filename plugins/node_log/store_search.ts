import { anyOf, type Call, type Db, inPieces } from "edgehelm";
import type { Tables } from "./store.ts";

/** Little enough to hold nobody up. */
const INDEXED_AT_ONCE = 500;

/** Keeps the search index of tags and descriptions, behind what is written. */
export function nodeLogSearch(db: Db<Tables>) {
  const state = db.query((q) => q.selectFrom("nodeLogSearchState").select("indexedId"));
  const setState = db.query((q, p: { last: bigint }) => q.updateTable("nodeLogSearchState").set({ indexedId: p.last }));
  const next = db.query((q, p: { after: bigint; limit: number }) =>
    q.selectFrom("nodeLogs").select("id").where("id", ">", p.after).orderBy("id").limit(p.limit)
  );
  const add = db.query((q, p: { after: bigint; last: bigint }) =>
    q.insertInto("nodeLogSearch").columns(["rowid", "tag", "description"]).expression((e) =>
      e.selectFrom("nodeLogs").select(["id as rowid", "tag", "description"]).where("id", ">", p.after)
        .where("id", "<=", p.last).orderBy("id")
    )
  );

  async function addSome(call: Call, limit: number): Promise<number> {
    const { indexedId: after } = await state.one(call, {});
    const ids = await next.all(call, { after, limit });
    const last = ids.at(-1)?.id;
    if (last === undefined) return 0;
    await add.run(call, { after, last });
    await setState.run(call, { last });
    return ids.length;
  }

  return {
    /** Brings the index up to date, a piece at a time. */
    async catchUp(call: Call): Promise<void> {
      await inPieces(call, INDEXED_AT_ONCE, addSome);
    },
    /** Logs that are removed leave the index too. */
    remove: db.query((q, p: { ids: bigint[] }) =>
      q.deleteFrom("nodeLogSearch").where("rowid", "in", anyOf(p.ids))
        .where("rowid", "<=", (indexed) => indexed.selectFrom("nodeLogSearchState").select("indexedId"))
    ),
  };
}

export type NodeLogSearch = ReturnType<typeof nodeLogSearch>;
