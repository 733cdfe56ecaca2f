import { anyOf, type Db, type Flag } from "edgehelm";
import { type Generated, sql } from "kysely";

/** Times are unix milliseconds. */
export interface Tables {
  /** The open streams, with the instance that holds each. */
  nodeStreamSessions: { id: string; kind: string; nodeId: bigint; holder: string; openedAt: bigint };
  /** The pending commands of instances to nodes whose streams other instances hold. */
  nodeStreamCommands: {
    id: Generated<bigint>;
    sessionId: string;
    holder: string;
    code: string;
    dataJSON: Uint8Array;
    expiresAt: bigint;
    /** The response of the node; null until it has arrived. */
    isOk: Flag | null;
    message: string | null;
    replyJSON: Uint8Array | null;
  };
  /** The instances that hold streams. One that has expired is dead. */
  nodeStreamInstances: { id: string; expiresAt: bigint };
}

export type StreamStore = ReturnType<typeof streamStore>;

/** The queries for the streams of nodes, and for commands between instances. */
export function streamStore(db: Db<Tables>) {
  return {
    insert: db.query((q, p: Tables["nodeStreamSessions"]) =>
      q.insertInto("nodeStreamSessions").values({
        id: p.id,
        kind: p.kind,
        nodeId: p.nodeId,
        holder: p.holder,
        openedAt: p.openedAt,
      })
    ),
    /** The newest stream of a node on a live instance. */
    newest: db.query((q, p: { kind: string; nodeId: bigint; now: bigint }) =>
      q.selectFrom("nodeStreamSessions").innerJoin("nodeStreamInstances", "nodeStreamInstances.id", "holder")
        .select(["nodeStreamSessions.id as id", "holder"])
        .where("kind", "=", p.kind).where("nodeId", "=", p.nodeId).where("expiresAt", ">", p.now)
        .orderBy("openedAt", "desc").orderBy("nodeStreamSessions.id").limit(sql.lit(1))
    ),
    ofNode: db.query((q, p: { kind: string; nodeId: bigint }) =>
      q.selectFrom("nodeStreamSessions").select("id").where("kind", "=", p.kind).where("nodeId", "=", p.nodeId)
        .limit(sql.lit(1))
    ),
    heldBy: db.query((q, p: { holder: string }) =>
      q.selectFrom("nodeStreamSessions").select(["id", "kind", "nodeId"]).where("holder", "=", p.holder)
    ),
    /** Streams of these kinds on dead instances. The query starts from the expired instances, because they are few. */
    lost: db.query((q, p: { kinds: string[]; now: bigint; limit: number }) =>
      q.selectFrom("nodeStreamInstances").innerJoin("nodeStreamSessions", "holder", "nodeStreamInstances.id")
        .select(["nodeStreamSessions.id as id", "kind", "nodeId"])
        .where("expiresAt", "<=", p.now).where("kind", "in", anyOf(p.kinds)).limit(p.limit)
    ),
    delete: db.query((q, p: { id: string }) => q.deleteFrom("nodeStreamSessions").where("id", "=", p.id)),

    /** Registers this instance, or renews its registration. */
    renewInstance: db.put("nodeStreamInstances", ["id"], ["id", "expiresAt"]),
    deleteInstance: db.query((q, p: { id: string }) => q.deleteFrom("nodeStreamInstances").where("id", "=", p.id)),
    /** Deletes dead instances that have no more streams. */
    deleteDeadInstances: db.query((q, p: { now: bigint }) =>
      q.deleteFrom("nodeStreamInstances").where("expiresAt", "<=", p.now)
        .where((e) =>
          e.not(e.exists(
            e.selectFrom("nodeStreamSessions").select("nodeStreamSessions.id").whereRef(
              "holder",
              "=",
              "nodeStreamInstances.id",
            ),
          ))
        )
    ),

    insertCommand: db.insert("nodeStreamCommands", ["sessionId", "holder", "code", "dataJSON", "expiresAt"]),
    commandsFor: db.query((q, p: { holder: string; after: bigint; limit: number }) =>
      q.selectFrom("nodeStreamCommands").select(["id", "sessionId", "code", "dataJSON", "expiresAt"])
        .where("holder", "=", p.holder).where("id", ">", p.after).orderBy("id").limit(p.limit)
    ),
    storeResponse: db.update("nodeStreamCommands", ["isOk", "message", "replyJSON"]),
    findResponse: db.query((q, p: { id: bigint }) =>
      q.selectFrom("nodeStreamCommands").select(["isOk", "message", "replyJSON"]).where("id", "=", p.id)
    ),
    deleteCommand: db.query((q, p: { id: bigint }) => q.deleteFrom("nodeStreamCommands").where("id", "=", p.id)),
    deleteCommandsTo: db.query((q, p: { sessionId: string }) =>
      q.deleteFrom("nodeStreamCommands").where("sessionId", "=", p.sessionId)
    ),
    expiredCommand: db.query((q, p: { before: bigint }) =>
      q.selectFrom("nodeStreamCommands").select("id").where("expiresAt", "<", p.before).limit(sql.lit(1))
    ),
    deleteExpiredCommands: db.query((q, p: { before: bigint; limit: number }) =>
      q.deleteFrom("nodeStreamCommands").where(
        "id",
        "in",
        (expired) =>
          expired.selectFrom("nodeStreamCommands").select("id").where("expiresAt", "<", p.before).limit(p.limit),
      )
    ),
  };
}
