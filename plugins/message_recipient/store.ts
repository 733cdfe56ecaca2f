import { type Db, type DefaultFlag, isLive, liveRows } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import { declareList } from "edgehelm/storage";
import type { Kysely, Selectable } from "kysely";
import { errors } from "./errors.ts";

export interface Tables {
  messageRecipients: LiveTable<{
    adminId: bigint;
    messageMediaInstanceId: bigint;
    /** A JSON array. */
    groupIds: string;
    /** A JSON array. */
    nodeClusterIds: string;
    description: string;
    user: string;
    timeFrom: string;
    timeTo: string;
    isOn: DefaultFlag;
  }>;
}

export type RecipientRow = Selectable<Tables["messageRecipients"]>;
export type NewRecipient = Omit<RecipientRow, "id" | "isOn" | "state">;

export const recipientList = declareList({
  table: "messageRecipients",
  softDeletion: "state",
  scopes: ["adminId", "messageMediaInstanceId"],
  links: { messageRecipientGroupId: "groupIds" },
  search: ["user", "description"],
});

const SETTINGS = [
  "adminId",
  "messageMediaInstanceId",
  "groupIds",
  "nodeClusterIds",
  "description",
  "user",
  "timeFrom",
  "timeTo",
] as const;

/** Defines all SQL statements of this plugin. */
export function messageRecipientStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("messageRecipients").where(isLive);

  return {
    ...liveRows(db, "messageRecipients", errors.not_found),
    insert: db.insert("messageRecipients", SETTINGS),
    update: db.update("messageRecipients", [...SETTINGS, "isOn"]),
    ofAdmin: db.query((q, p: { adminId: bigint }) => live(q).select("id").where("adminId", "=", p.adminId)),
    ofInstance: db.query((q, p: { id: bigint; limit: number }) =>
      live(q).select(["id", "user"]).where("messageMediaInstanceId", "=", p.id).limit(p.limit)
    ),
    /** The newest: transactions may read them, as they take an index and few rows. */
    newest: db.query((q, p: { limit: number }) => live(q).select("id").orderBy("id", "desc").limit(p.limit)),
    list: recipientList.open(db),
  };
}

export type MessageRecipientStore = ReturnType<typeof messageRecipientStore>;
