import type { Db } from "edgehelm";
import { type Generated, sql } from "kysely";

export interface Tables {
  /** One row for each start of an instance. */
  nsFeedHistories: {
    id: Generated<bigint>;
    name: string;
    /** A JSON object with the versions of all feeds at the start, by type. */
    versions: string;
  };
}

/** Returns the statements of this plugin. */
export function historyStore(db: Db<Tables>) {
  const histories = db.query((q) =>
    q.selectFrom("nsFeedHistories").selectAll().orderBy("id", "desc").limit(sql.lit(1))
  );
  return {
    insert: db.insert("nsFeedHistories", ["name", "versions"]),
    last: histories,
    named: db.query((q, p: { name: string }) =>
      q.selectFrom("nsFeedHistories").select("id").where("name", "=", p.name)
    ),
    following: db.query((q, p: { id: bigint }) =>
      q.selectFrom("nsFeedHistories").select("versions").where("id", ">", p.id).orderBy("id").limit(sql.lit(1))
    ),
    removeBefore: db.query((q, p: { id: bigint }) => q.deleteFrom("nsFeedHistories").where("id", "<", p.id)),
  };
}

export type HistoryStore = ReturnType<typeof historyStore>;
