import { anyOf, type Db, type DefaultInt32 } from "edgehelm";
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
    /** A JSON object; empty for none. */
    paramsJSON: string;
    hash: string;
    createdAt: bigint;
    count: DefaultInt32;
    /** Also read is what nodeLogMarks.readThrough reaches. */
    isRead: bigint;
    /** Also fixed is what nodeLogMarks.fixedThrough reaches. */
    isFixed: Generated<bigint>;
  };
  /** One row. */
  nodeLogMarks: { id: bigint; readThrough: bigint; fixedThrough: bigint };
  /** How many logs there are; store_counts.ts keeps it. */
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
  nodeLogRemovals: { role: string; nodeId: bigint };
  /** Full text; rowid is the id of the log. */
  nodeLogSearch: { rowid: bigint; tag: string; description: string; nodeLogSearch: string };
  /** One row: up to which id logs are in the search index. */
  nodeLogSearchState: { id: Generated<bigint>; indexedId: bigint };
}

/** A log with its marks as they are in effect. */
export type NodeLogRow = Selectable<Tables["nodeLogs"]>;

/** Which logs a list is about; 0 and empty stand for all. */
export interface Filter {
  readonly role: string;
  readonly nodeId: bigint;
  /** Only logs of `nodeIds`. */
  readonly byNodes: boolean;
  readonly nodeIds: bigint[];
  readonly serverId: bigint;
  readonly originId: bigint;
  /** Only logs of sites. */
  readonly allServers: boolean;
  /** Only logs of `levels`. */
  readonly byLevels: boolean;
  readonly levels: string[];
  /** Unix seconds at which days begin, the end not included. */
  readonly from: bigint;
  readonly to: bigint;
  readonly keyword: string;
  readonly tag: string;
  readonly isUnread: boolean;
  /** 1 for fixed logs, 2 for the others. */
  readonly fixedState: number;
}

export const readThrough = sql<bigint>`(select readThrough from nodeLogMarks)`;
export const fixedThrough = sql<bigint>`(select fixedThrough from nodeLogMarks)`;

/** The SQL that finds single logs. */
export function nodeLogStore(db: Db<Tables>) {
  return {
    byIds: db.query((q, p: { ids: bigint[] }) =>
      q.selectFrom("nodeLogs as l").selectAll("l").select([
        sql<bigint>`(l.isRead = 1 or l.id <= ${readThrough})`.as("isRead"),
        sql<bigint>`(l.isFixed = 1 or l.id <= ${fixedThrough})`.as("isFixed"),
      ]).where("l.id", "in", anyOf(p.ids)).orderBy("l.id", "desc")
    ),
    /** What each of these nodes said last; `nodes` is JSON, of arrays of role and id. */
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
    nextRemoval: db.query((q) => q.selectFrom("nodeLogRemovals").selectAll().limit(1)),
  };
}

export type NodeLogStore = ReturnType<typeof nodeLogStore>;
