import { anyOf, type Db, type DefaultFlag } from "edgehelm";
import { type Generated, type Kysely, type Selectable, sql, type SqlBool } from "kysely";

export interface Tables {
  messageRecipientGroups: { id: Generated<bigint>; name: string; isOn: DefaultFlag; state: Generated<bigint> };
}

export type MessageRecipientGroupRow = Selectable<Tables["messageRecipientGroups"]>;

const isLive = sql<SqlBool>`state = 1`;

/** All SQL of this plugin. */
export function messageRecipientGroupStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("messageRecipientGroups").selectAll().where(isLive);
  return {
    insert: db.query((q, p: { name: string }) =>
      q.insertInto("messageRecipientGroups").values({ name: p.name }).returning("id")
    ),
    update: db.query((q, p: { id: bigint; name: string; isOn: boolean }) =>
      q.updateTable("messageRecipientGroups").set({ name: p.name, isOn: p.isOn }).where("id", "=", p.id).where(isLive)
    ),
    remove: db.query((q, p: { id: bigint }) =>
      q.updateTable("messageRecipientGroups").set({ state: 0n }).where("id", "=", p.id).where(isLive)
    ),
    byId: db.query((q, p: { id: bigint }) => live(q).where("id", "=", p.id)),
    byIds: db.query((q, p: { ids: bigint[] }) => live(q).where("id", "in", anyOf(p.ids))),
    all: db.query((q) => live(q).orderBy("id", "desc")),
  };
}

export type MessageRecipientGroupStore = ReturnType<typeof messageRecipientGroupStore>;
