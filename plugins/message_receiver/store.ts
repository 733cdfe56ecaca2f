import { anyOf, type Db } from "edgehelm";
import { type Generated, type Selectable, sql } from "kysely";

export interface Tables {
  messageReceivers: {
    id: Generated<bigint>;
    role: string;
    clusterId: bigint;
    nodeId: bigint;
    serverId: bigint;
    type: string;
    /** 0 if it is a group. */
    messageRecipientId: bigint;
    /** 0 if it is a recipient. */
    messageRecipientGroupId: bigint;
    paramsJSON: string;
  };
}

export type ReceiverRow = Selectable<Tables["messageReceivers"]>;

/** The objects that receivers are for: the installation, or one cluster, node or site. */
export type Target = Pick<ReceiverRow, "role" | "clusterId" | "nodeId" | "serverId">;

/** The maximum number of receivers of a target. */
export const MAX_RECEIVERS = 10_000;

/** Defines all SQL statements of this plugin. */
export function messageReceiverStore(db: Db<Tables>) {
  return {
    insert: db.insert("messageReceivers", [
      "role",
      "clusterId",
      "nodeId",
      "serverId",
      "type",
      "messageRecipientId",
      "messageRecipientGroupId",
      "paramsJSON",
    ]),
    ofTarget: db.query((q, p: Target) =>
      q.selectFrom("messageReceivers").selectAll().where("role", "=", p.role).where("clusterId", "=", p.clusterId)
        .where("nodeId", "=", p.nodeId).where("serverId", "=", p.serverId).orderBy("id").limit(sql.lit(MAX_RECEIVERS))
    ),
    ofTypes: db.query((q, p: { types: readonly string[] }) =>
      q.selectFrom("messageReceivers").selectAll().where("type", "in", anyOf(p.types)).orderBy("id")
        .limit(sql.lit(MAX_RECEIVERS))
    ),
    ofRecipient: db.query((q, p: { messageRecipientId: bigint }) =>
      q.selectFrom("messageReceivers").selectAll().where("messageRecipientId", "=", p.messageRecipientId)
        .orderBy("id").limit(sql.lit(MAX_RECEIVERS))
    ),
    ofGroup: db.query((q, p: { id: bigint; limit: number }) =>
      q.selectFrom("messageReceivers").select(["id", "type"]).where("messageRecipientGroupId", "=", p.id).limit(p.limit)
    ),
    any: db.query((q) => q.selectFrom("messageReceivers").select("id").limit(sql.lit(1))),
    clear: db.query((q, p: Target) =>
      q.deleteFrom("messageReceivers").where("role", "=", p.role).where("clusterId", "=", p.clusterId)
        .where("nodeId", "=", p.nodeId).where("serverId", "=", p.serverId)
    ),
    remove: db.query((q, p: { id: bigint }) => q.deleteFrom("messageReceivers").where("id", "=", p.id)),
    removeOfRecipient: db.query((q, p: { messageRecipientId: bigint }) =>
      q.deleteFrom("messageReceivers").where("messageRecipientId", "=", p.messageRecipientId)
    ),
  };
}

export type MessageReceiverStore = ReturnType<typeof messageReceiverStore>;
