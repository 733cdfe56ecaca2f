import { type Db, type DefaultFlag, isLive, liveRows, rowCount } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import type { Kysely, Selectable } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  reportNodeGroups: LiveTable<{ name: string; isOn: DefaultFlag }>;
}

export type ReportNodeGroupRow = Selectable<Tables["reportNodeGroups"]>;

/** The SQL statements of this plugin. */
export function reportNodeGroupStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("reportNodeGroups").selectAll().where(isLive);
  return {
    ...liveRows(db, "reportNodeGroups", errors.not_found),
    insert: db.insert("reportNodeGroups", ["name"]),
    rename: db.query((q, p: { id: bigint; name: string }) =>
      q.updateTable("reportNodeGroups").set({ name: p.name }).where("id", "=", p.id).where(isLive)
    ),
    all: db.query((q) => live(q).orderBy("id", "desc")),
    count: db.query((q) => q.selectFrom("reportNodeGroups").select(rowCount).where(isLive)),
  };
}

export type ReportNodeGroupStore = ReturnType<typeof reportNodeGroupStore>;
