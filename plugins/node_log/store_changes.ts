import { anyOf, type Db } from "edgehelm";
import { sql } from "kysely";
import type { Tables } from "./store.ts";

/** A log as it is kept. */
export interface NewLog {
  readonly role: string;
  readonly nodeId: bigint;
  readonly serverId: bigint;
  readonly originId: bigint;
  readonly level: string;
  readonly tag: string;
  readonly type: string;
  readonly description: string;
  readonly paramsJSON: string;
  readonly hash: string;
  readonly createdAt: bigint;
}

const COLUMNS = [
  "role",
  "nodeId",
  "serverId",
  "originId",
  "level",
  "tag",
  "type",
  "description",
  "paramsJSON",
  "hash",
  "createdAt",
  "count",
  "isRead",
  "isFixed",
] as const;

/** The SQL that changes logs; triggers keep the counts. */
export function nodeLogChanges(db: Db<Tables>) {
  return {
    /** Takes rows of logs, in their order. */
    insert: db.query((q, p: { rows: string }) =>
      q.insertInto("nodeLogs").columns(COLUMNS).expression((e) =>
        e.selectFrom(sql<{ key: bigint; value: string }>`json_each(${p.rows})`.as("item"))
          .select(COLUMNS.map((column) => sql<never>`item.value ->> ${sql.lit(column)}`.as(column))).orderBy("item.key")
      )
    ),
    /** Takes rows with id and times. */
    countAgain: db.query((q, p: { rows: string }) =>
      q.updateTable("nodeLogs").from(sql<{ value: string }>`json_each(${p.rows})`.as("item"))
        .set({ count: sql`count + (item.value ->> 'times')` })
        .where(sql<boolean>`nodeLogs.id = item.value ->> 'id'`)
    ),
    /** Takes rows of successes. */
    fixErrors: db.query((q, p: { rows: string }) =>
      q.updateTable("nodeLogs").set({ isFixed: 1n, isRead: 1n }).where(sql<boolean>`id in (
        select l.id from json_each(${p.rows}) as item cross join nodeLogs as l
        where l.role = item.value ->> 'role' and l.nodeId = item.value ->> 'nodeId'
          and l.type = item.value ->> 'type' and l.type != '' and l.level = 'error' and l.isFixed = 0
          and l.serverId = item.value ->> 'serverId' and l.paramsJSON = item.value ->> 'paramsJSON')`)
    ),
    fix: db.query((q, p: { hashes: string[] }) =>
      q.updateTable("nodeLogs").set({ isFixed: 1n, isRead: 1n }).where("hash", "in", anyOf(p.hashes))
    ),
    fixAll: db.query((q) =>
      q.updateTable("nodeLogMarks").set({ fixedThrough: sql`(select coalesce(max(id), 0) from nodeLogs)` })
    ),
    read: db.query((q, p: { ids: bigint[] }) =>
      q.updateTable("nodeLogs").set({ isRead: 1n }).where("id", "in", anyOf(p.ids)).where("isRead", "=", 0n)
    ),
    readOfNode: db.query((q, p: { role: string; nodeId: bigint }) =>
      q.updateTable("nodeLogs").set({ isRead: 1n }).where("role", "=", p.role).where("nodeId", "=", p.nodeId)
        .where("isRead", "=", sql<bigint>`0`)
    ),
    readAll: db.query((q) =>
      q.updateTable("nodeLogMarks")
        .set({ readThrough: sql`(select coalesce(max(id), 0) from nodeLogs)`, unread: 0n })
    ),
    remove: db.query((q, p: { ids: bigint[] }) => q.deleteFrom("nodeLogs").where("id", "in", anyOf(p.ids))),
    removeSomeBefore: db.query((q, p: { before: bigint; limit: number }) =>
      q.deleteFrom("nodeLogs").where(
        "id",
        "in",
        (some) => some.selectFrom("nodeLogs").select("id").where("createdAt", "<", p.before).limit(p.limit),
      )
    ),
    removeSomeInfoBefore: db.query((q, p: { before: bigint; limit: number }) =>
      q.deleteFrom("nodeLogs").where(
        "id",
        "in",
        (some) =>
          some.selectFrom("nodeLogs").select("id").where("level", "=", sql<string>`'info'`)
            .where("createdAt", "<", p.before).limit(p.limit),
      )
    ),
    removeSomeOfNode: db.query((q, p: { role: string; nodeId: bigint; limit: number }) =>
      q.deleteFrom("nodeLogs").where(
        "id",
        "in",
        (some) =>
          some.selectFrom("nodeLogs").select("id").where("role", "=", p.role).where("nodeId", "=", p.nodeId)
            .limit(p.limit),
      )
    ),
    beginRemoval: db.query((q, p: { role: string; nodeId: bigint }) =>
      q.insertInto("nodeLogRemovals").values({ role: p.role, nodeId: p.nodeId })
        .onConflict((conflict) => conflict.doNothing())
    ),
    forgetCount: db.query((q, p: { role: string; nodeId: bigint }) =>
      q.deleteFrom("nodeLogCounts").where("role", "=", p.role).where("nodeId", "=", p.nodeId)
    ),
    endRemoval: db.query((q, p: { role: string; nodeId: bigint }) =>
      q.deleteFrom("nodeLogRemovals").where("role", "=", p.role).where("nodeId", "=", p.nodeId)
    ),
  };
}

export type NodeLogChanges = ReturnType<typeof nodeLogChanges>;
