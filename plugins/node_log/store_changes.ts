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

/** The SQL that changes logs; triggers keep the counts. */
export function nodeLogChanges(db: Db<Tables>) {
  return {
    insert: db.query((q, p: NewLog & { isRead: bigint; count: number }) =>
      q.insertInto("nodeLogs").values({
        role: p.role,
        nodeId: p.nodeId,
        serverId: p.serverId,
        originId: p.originId,
        level: p.level,
        tag: p.tag,
        type: p.type,
        description: p.description,
        paramsJSON: p.paramsJSON,
        hash: p.hash,
        createdAt: p.createdAt,
        isRead: p.isRead,
        count: p.count,
      })
    ),
    countAgain: db.query((q, p: { id: bigint; times: number }) =>
      q.updateTable("nodeLogs").set({ count: sql`count + ${p.times}` }).where("id", "=", p.id)
    ),
    fixErrors: db.query((q, p: { role: string; nodeId: bigint; serverId: bigint; type: string; paramsJSON: string }) =>
      q.updateTable("nodeLogs").set({ isFixed: 1n, isRead: 1n }).where("role", "=", p.role).where(
        "nodeId",
        "=",
        p.nodeId,
      )
        .where("type", "=", p.type).where(sql<boolean>`type != ''`).where("level", "=", sql<string>`'error'`)
        .where("isFixed", "=", sql<bigint>`0`).where("serverId", "=", p.serverId)
        .where("paramsJSON", "=", p.paramsJSON)
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
