import { anyOf, type Db, type DefaultInt32, type Page } from "edgehelm";
import { type Generated, type Kysely, type Selectable, sql } from "kysely";

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
  nodeLogMarks: { id: bigint; readThrough: bigint; fixedThrough: bigint; total: bigint; unread: bigint };
  nodeLogRemovals: { role: string; nodeId: bigint };
}

/** A log with its marks as they are in effect. */
export type NodeLogRow = Selectable<Tables["nodeLogs"]>;

/** Which logs a list is about; 0 and empty stand for all. */
export interface Filter {
  readonly role: string;
  readonly nodeId: bigint;
  /** 1 leaves only logs of `nodeIds`. */
  readonly byNodes: bigint;
  readonly nodeIds: bigint[];
  readonly serverId: bigint;
  readonly originId: bigint;
  /** 1 leaves only logs of sites. */
  readonly allServers: bigint;
  /** 1 leaves only logs of `levels`. */
  readonly byLevels: bigint;
  readonly levels: string[];
  /** Unix seconds, the end not included. */
  readonly from: bigint;
  readonly to: bigint;
  /** Made by `containing`. */
  readonly pattern: string;
  readonly tagPattern: string;
  /** 1 leaves only unread logs. */
  readonly unread: bigint;
  /** 1 for fixed logs, 2 for the others. */
  readonly fixedState: number;
}

const isRead = sql<bigint>`(l.isRead = 1 or l.id <= (select readThrough from nodeLogMarks))`;
const isFixed = sql<bigint>`(l.isFixed = 1 or l.id <= (select fixedThrough from nodeLogMarks))`;
const notRemoved = sql<boolean>`not exists
  (select 1 from nodeLogRemovals as r where r.role = l.role and r.nodeId = l.nodeId)`;

function matches(p: Filter) {
  return sql<boolean>`(${p.role} = '' or l.role = ${p.role}) and (${p.nodeId} = 0 or l.nodeId = ${p.nodeId})
    and (${p.byNodes} = 0 or l.nodeId in ${anyOf(p.nodeIds)})
    and (${p.serverId} = 0 or l.serverId = ${p.serverId}) and (${p.allServers} = 0 or l.serverId > 0)
    and (${p.originId} = 0 or l.originId = ${p.originId})
    and (${p.byLevels} = 0 or l.level in ${anyOf(p.levels)})
    and l.createdAt >= ${p.from} and l.createdAt < ${p.to}
    and (${p.pattern} = '' or l.tag like ${p.pattern} escape '\\' or l.description like ${p.pattern} escape '\\')
    and (${p.tagPattern} = '' or l.tag like ${p.tagPattern} escape '\\')
    and (${p.unread} = 0 or not ${isRead})
    and (${p.fixedState} = 0 or (
      ${isFixed} = (${p.fixedState} = 1) and l.level in ('error', 'success', 'warning')
      and not exists (select 1 from nodeLogs as later where later.hash = l.hash and later.id > l.id
        and (later.isFixed = 1 or later.id <= (select fixedThrough from nodeLogMarks)) = (${p.fixedState} = 1))))
    and ${notRemoved}`;
}

/** The SQL that finds and lists logs. */
export function nodeLogStore(db: Db<Tables>) {
  const newestFirst = (q: Kysely<Tables>) =>
    q.selectFrom("nodeLogs as l").selectAll("l").select([isRead.as("isRead"), isFixed.as("isFixed")])
      .orderBy("l.id", "desc");

  return {
    lastOfNode: db.query((q, p: { role: string; nodeId: bigint }) =>
      newestFirst(q).where("l.role", "=", p.role).where("l.nodeId", "=", p.nodeId).limit(1)
    ),
    page: db.query((q, p: Page) => newestFirst(q).where(notRemoved).limit(p.size).offset(p.offset)),
    pageOfNode: db.query((q, p: Page & { role: string; nodeId: bigint }) =>
      newestFirst(q).where("l.role", "=", p.role).where("l.nodeId", "=", p.nodeId).where(notRemoved).limit(p.size)
        .offset(p.offset)
    ),
    marks: db.query((q) => q.selectFrom("nodeLogMarks").selectAll()),
    hashes: db.query((q, p: { ids: bigint[] }) =>
      q.selectFrom("nodeLogs").select("hash").distinct().where("id", "in", anyOf(p.ids))
    ),
    existing: db.query((q, p: { ids: bigint[] }) =>
      q.selectFrom("nodeLogs").select("id").where("id", "in", anyOf(p.ids))
    ),
    nextRemoval: db.query((q) => q.selectFrom("nodeLogRemovals").selectAll().limit(1)),
    // No one index serves these filters: they run apart from the event loop.
    pageMatching: db.query((q, p: Filter & Page) => newestFirst(q).where(matches(p)).limit(p.size).offset(p.offset)),
    countMatching: db.query((q, p: Filter) =>
      q.selectFrom("nodeLogs as l").select((count) => count.fn.countAll<bigint>().as("count")).where(matches(p))
    ),
    idsMatching: db.query((q, p: Filter & Page) =>
      q.selectFrom("nodeLogs as l").select("l.id").where(matches(p)).orderBy("l.id", "desc").limit(p.size)
        .offset(p.offset)
    ),
  };
}

export type NodeLogStore = ReturnType<typeof nodeLogStore>;
