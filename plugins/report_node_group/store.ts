import { anyOf, type Db, type DefaultFlag } from "edgehelm";
import { type Generated, type Kysely, type Selectable, sql, type SqlBool } from "kysely";

export interface Tables {
  reportNodeGroups: { id: Generated<bigint>; name: string; isOn: DefaultFlag; state: Generated<bigint> };
}

export type ReportNodeGroupRow = Selectable<Tables["reportNodeGroups"]>;

const isLive = sql<SqlBool>`state = 1`;

/** All SQL of this plugin. */
export function reportNodeGroupStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("reportNodeGroups").selectAll().where(isLive);
  return {
    insert: db.query((q, p: { name: string }) =>
      q.insertInto("reportNodeGroups").values({ name: p.name }).returning("id")
    ),
    rename: db.query((q, p: { id: bigint; name: string }) =>
      q.updateTable("reportNodeGroups").set({ name: p.name }).where("id", "=", p.id).where(isLive)
    ),
    remove: db.query((q, p: { id: bigint }) =>
      q.updateTable("reportNodeGroups").set({ state: 0n }).where("id", "=", p.id).where(isLive)
    ),
    byId: db.query((q, p: { id: bigint }) => live(q).where("id", "=", p.id)),
    byIds: db.query((q, p: { ids: bigint[] }) => live(q).where("id", "in", anyOf(p.ids))),
    all: db.query((q) => live(q).orderBy("id", "desc")),
    count: db.query((q) =>
      q.selectFrom("reportNodeGroups").select((e) => e.fn.countAll<bigint>().as("count")).where(isLive)
    ),
  };
}

export type ReportNodeGroupStore = ReturnType<typeof reportNodeGroupStore>;
