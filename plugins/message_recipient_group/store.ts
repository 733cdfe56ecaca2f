import { type Db, type DefaultFlag, isLive, liveRows } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import type { Kysely, Selectable } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  messageRecipientGroups: LiveTable<{ name: string; isOn: DefaultFlag }>;
}

export type MessageRecipientGroupRow = Selectable<Tables["messageRecipientGroups"]>;

/** Defines all SQL statements of this plugin. */
export function messageRecipientGroupStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("messageRecipientGroups").selectAll().where(isLive);
  return {
    ...liveRows(db, "messageRecipientGroups", errors.not_found),
    insert: db.insert("messageRecipientGroups", ["name"]),
    update: db.query((q, p: { id: bigint; name: string; isOn: boolean }) =>
      q.updateTable("messageRecipientGroups").set({ name: p.name, isOn: p.isOn }).where("id", "=", p.id).where(isLive)
    ),
    all: db.query((q) => live(q).orderBy("id", "desc")),
  };
}

export type MessageRecipientGroupStore = ReturnType<typeof messageRecipientGroupStore>;
