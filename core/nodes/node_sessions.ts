import { sql } from "kysely";
import type { KernelTables } from "../storage/kernel_tables.ts";
import type { Db } from "../storage/database.ts";
import { anyOf } from "../storage/parameters.ts";

export type NodeSessionRow = KernelTables["kernel_node_sessions"];

/** The prefix of the leases of instances. An instance is alive while its lease has not expired. */
export const INSTANCE_LEASE = "instance ";
/** An upper bound for the names of these leases. */
const END_OF_LEASES = "instance ~";

/** The queries for the streams of nodes, and for commands between instances. */
export function nodeSessionStore(db: Db<KernelTables>) {
  return {
    insert: db.query((q, p: NodeSessionRow) =>
      q.insertInto("kernel_node_sessions").values({
        id: p.id,
        kind: p.kind,
        nodeId: p.nodeId,
        holder: p.holder,
        openedAt: p.openedAt,
      })
    ),
    /** The newest stream of a node on a live instance. */
    newest: db.query((q, p: { kind: string; nodeId: bigint; now: bigint }) =>
      q.selectFrom("kernel_node_sessions").innerJoin("kernel_leases", "name", "kernel_node_sessions.holder")
        .select(["id", "kernel_node_sessions.holder as holder"])
        .where("kind", "=", p.kind).where("nodeId", "=", p.nodeId).where("expiresAt", ">", p.now)
        .orderBy("openedAt", "desc").orderBy("id").limit(sql.lit(1))
    ),
    ofNode: db.query((q, p: { kind: string; nodeId: bigint }) =>
      q.selectFrom("kernel_node_sessions").select("id").where("kind", "=", p.kind).where("nodeId", "=", p.nodeId)
        .limit(sql.lit(1))
    ),
    heldBy: db.query((q, p: { holder: string }) =>
      q.selectFrom("kernel_node_sessions").select(["id", "kind", "nodeId"]).where("holder", "=", p.holder)
    ),
    /** Streams of these kinds on dead instances. The query starts from the expired leases, because they are few. */
    lost: db.query((q, p: { kinds: string[]; now: bigint; limit: number }) =>
      q.selectFrom("kernel_leases").innerJoin("kernel_node_sessions", "kernel_node_sessions.holder", "name")
        .select(["id", "kind", "nodeId"])
        .where("name", ">=", INSTANCE_LEASE).where("name", "<", END_OF_LEASES).where("expiresAt", "<=", p.now)
        .where("kind", "in", anyOf(p.kinds)).limit(p.limit)
    ),
    delete: db.query((q, p: { id: string }) => q.deleteFrom("kernel_node_sessions").where("id", "=", p.id)),
    /** Deletes the leases of dead instances that have no more streams. */
    deleteExpiredLeases: db.query((q, p: { now: bigint }) =>
      q.deleteFrom("kernel_leases")
        .where("name", ">=", INSTANCE_LEASE).where("name", "<", END_OF_LEASES).where("expiresAt", "<=", p.now)
        .where((e) =>
          e.not(e.exists(
            e.selectFrom("kernel_node_sessions").select("id").whereRef("kernel_node_sessions.holder", "=", "name"),
          ))
        )
    ),

    insertCommand: db.query((
      q,
      p: Pick<KernelTables["kernel_node_commands"], "sessionId" | "holder" | "code" | "dataJSON" | "expiresAt">,
    ) =>
      q.insertInto("kernel_node_commands").values({
        sessionId: p.sessionId,
        holder: p.holder,
        code: p.code,
        dataJSON: p.dataJSON,
        expiresAt: p.expiresAt,
        isOk: null,
        message: null,
        replyJSON: null,
      }).returning("id")
    ),
    commandsFor: db.query((q, p: { holder: string; after: bigint; limit: number }) =>
      q.selectFrom("kernel_node_commands").select(["id", "sessionId", "code", "dataJSON", "expiresAt"])
        .where("holder", "=", p.holder).where("id", ">", p.after).orderBy("id").limit(p.limit)
    ),
    storeResponse: db.query((q, p: { id: bigint; isOk: boolean; message: string; replyJSON: Uint8Array }) =>
      q.updateTable("kernel_node_commands")
        .set({ isOk: sql<bigint>`${p.isOk}`, message: p.message, replyJSON: p.replyJSON }).where("id", "=", p.id)
    ),
    findResponse: db.query((q, p: { id: bigint }) =>
      q.selectFrom("kernel_node_commands").select(["isOk", "message", "replyJSON"]).where("id", "=", p.id)
    ),
    deleteCommand: db.query((q, p: { id: bigint }) => q.deleteFrom("kernel_node_commands").where("id", "=", p.id)),
    deleteCommandsTo: db.query((q, p: { sessionId: string }) =>
      q.deleteFrom("kernel_node_commands").where("sessionId", "=", p.sessionId)
    ),
    expiredCommand: db.query((q, p: { before: bigint }) =>
      q.selectFrom("kernel_node_commands").select("id").where("expiresAt", "<", p.before).limit(sql.lit(1))
    ),
    deleteExpiredCommands: db.query((q, p: { before: bigint }) =>
      q.deleteFrom("kernel_node_commands").where("expiresAt", "<", p.before)
    ),
  };
}

export type NodeSessionStore = ReturnType<typeof nodeSessionStore>;
