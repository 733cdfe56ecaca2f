import { type Db, type DefaultFlag, liveRows } from "edgehelm";
import { type LiveTable, rowList } from "edgehelm/rows";
import { errors } from "./errors.ts";

export interface Tables {
  messageRecipientGroups: LiveTable<{ name: string; isOn: DefaultFlag }>;
}

export type MessageRecipientGroupStore = ReturnType<typeof messageRecipientGroupStore>;

export function messageRecipientGroupStore(db: Db<Tables>) {
  return {
    ...liveRows(db, "messageRecipientGroups", errors.not_found),
    insert: db.insert("messageRecipientGroups", ["name"]),
    update: db.update("messageRecipientGroups", ["name", "isOn"]),
    list: rowList(db, "messageRecipientGroups", { order: { id: "desc" } }),
  };
}
