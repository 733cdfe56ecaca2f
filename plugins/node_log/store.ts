import { anyOf, type Db } from "edgehelm";
import type { DefaultInt32 } from "edgehelm/storage";
import { type Generated, type Selectable, sql } from "kysely";

export interface Tables {
  nodeLogs: {
    id: Generated<bigint>;
    role: string;
    nodeId: bigint;
    serverId: bigint;
    originId: bigint;
    level: string;
    tag: string;
    type: string;
    description: string;
    /** A JSON object; empty means none. */
    paramsJSON: string;
    hash: string;
    createdAt: bigint;
    count: DefaultInt32;
    /** Logs with ids up to nodeLogMarks.readThrough are read too. */
    isRead: bigint;
    /** Logs with ids up to nodeLogMarks.fixedThrough are fixed too. */
    isFixed: Generated<bigint>;
  };
  /** Has a single row. */
  nodeLogMarks: { id: bigint; readThrough: bigint; fixedThrough: bigint };
  /** The numbers of logs, which store_counts.ts maintains. */
  nodeLogBuckets: {
    scope: bigint;
    scopeId: bigint;
    idBits: bigint;
    bucket: bigint;
    role: string;
    day: bigint;
    level: string;
    ofSite: bigint;
    n: bigint;
    unread: bigint;
    since: bigint;
  };
  /** The deleted nodes whose logs are not deleted yet. */
  nodeLogRemovals: { role: string; nodeId: bigint };
  /** The full-text index; rowid is the id of the log. */
  nodeLogSearch: { rowid: bigint; tag: string; description: string; nodeLogSearch: string };
  /** Has a single row: the id up to which logs are in the search index. */
  nodeLogSearchState: { id: Generated<bigint>; indexedId: bigint };
}

/** A log. isRead and isFixed include the marks in nodeLogMarks. */
export type NodeLogRow = Selectable<Tables["nodeLogs"]>;

/** Selects the logs of a list; 0 and empty values match all. */
export interface Filter {
  readonly role: string;
  readonly nodeId: bigint;
  /** True to match only logs of `nodeIds`. */
  readonly byNodes: boolean;
  readonly nodeIds: bigint[];
  readonly serverId: bigint;
  readonly originId: bigint;
  /** True to match only logs about sites. */
  readonly allServers: boolean;
  /** True to match only logs of `levels`. */
  readonly byLevels: boolean;
  readonly levels: string[];
  /** The start of the first day in Unix seconds, inclusive. */
  readonly from: bigint;
  /** The end of the last day in Unix seconds, exclusive. */
  readonly to: bigint;
  readonly keyword: string;
  readonly tag: string;
  readonly isUnread: boolean;
  /** 1 matches fixed logs, 2 the others. */
  readonly fixedState: number;
}

export const readThrough = sql<bigint>`(select readThrough from nodeLogMarks)`;
export const fixedThrough = sql<bigint>`(select fixedThrough from nodeLogMarks)`;

/** Returns the statements that find single logs. */
export function nodeLogStore(db: Db<Tables>) {
  return {
    byIds: db.query((q, p: { ids: bigint[] }) =>
      q.selectFrom("nodeLogs as l").selectAll("l").select([
        sql<bigint>`(l.isRead = 1 or l.id <= ${readThrough})`.as("isRead"),
        sql<bigint>`(l.isFixed = 1 or l.id <= ${fixedThrough})`.as("isFixed"),
      ]).where("l.id", "in", anyOf(p.ids)).orderBy("l.id", "desc")
    ),
    /** Finds the last log of each node; `nodes` is a JSON array of pairs of role and id. */
    lastOfNodes: db.query((q, p: { nodes: string }) =>
      q.selectFrom(sql<{ value: string }>`json_each(${p.nodes})`.as("node"))
        .innerJoin("nodeLogs as l", (join) =>
          join.on(
            sql<boolean>`l.id = (select max(last.id) from nodeLogs as last
              where last.role = node.value ->> 0 and last.nodeId = node.value ->> 1)`,
          ))
        .select(["l.id", "l.role", "l.nodeId", "l.hash", "l.createdAt"])
        .select(sql<bigint>`(l.isFixed = 1 or l.id <= ${fixedThrough})`.as("isFixed"))
    ),
    newestId: db.query((q) => q.selectFrom("nodeLogs").select(sql<bigint>`coalesce(max(id), 0)`.as("id"))),
    hashes: db.query((q, p: { ids: bigint[] }) =>
      q.selectFrom("nodeLogs").select("hash").distinct().where("id", "in", anyOf(p.ids))
    ),
    unfixed: db.query((q, p: { hashes: string[]; limit: number }) =>
      q.selectFrom("nodeLogs").select("id").where("hash", "in", anyOf(p.hashes)).where("isFixed", "=", 0n)
        .limit(p.limit)
    ),
    unreadOfNode: db.query((q, p: { role: string; nodeId: bigint; limit: number }) =>
      q.selectFrom("nodeLogs").select("id").where("role", "=", p.role).where("nodeId", "=", p.nodeId)
        .where(sql<boolean>`isRead = 0`).where("id", ">", readThrough).limit(p.limit)
    ),
    before: db.query((q, p: { before: bigint; limit: number }) =>
      q.selectFrom("nodeLogs").select("id").where("createdAt", "<", p.before).limit(p.limit)
    ),
    infoBefore: db.query((q, p: { before: bigint; limit: number }) =>
      q.selectFrom("nodeLogs").select("id").where(sql<boolean>`level = 'info'`).where("createdAt", "<", p.before)
        .limit(p.limit)
    ),
    ofNode: db.query((q, p: { role: string; nodeId: bigint; limit: number }) =>
      q.selectFrom("nodeLogs").select("id").where("role", "=", p.role).where("nodeId", "=", p.nodeId).limit(p.limit)
    ),
    nextDeletedNode: db.query((q) => q.selectFrom("nodeLogRemovals").selectAll().limit(1)),
  };
}

export type NodeLogStore = ReturnType<typeof nodeLogStore>;
