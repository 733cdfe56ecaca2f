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
  /** One row; triggers keep what is unread. */
  nodeLogMarks: { id: bigint; readThrough: bigint; fixedThrough: bigint; unread: bigint };
  /** Kept by triggers. */
  nodeLogCounts: { role: string; nodeId: bigint; total: bigint };
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
  readonly isUnread: boolean;
  /** 1 for fixed logs, 2 for the others. */
  readonly fixedState: number;
}

const readThrough = sql`(select readThrough from nodeLogMarks)`;
const fixedThrough = sql`(select fixedThrough from nodeLogMarks)`;
const isRead = sql<bigint>`(l.isRead = 1 or l.id <= ${readThrough})`;
const isFixed = sql<bigint>`(l.isFixed = 1 or l.id <= ${fixedThrough})`;
/** Written so that the partial index of unread logs serves it. */
const isUnread = sql<boolean>`l.isRead = 0 and l.id > ${readThrough}`;
const notRemoved = sql<boolean>`not exists
  (select 1 from nodeLogRemovals as r where r.role = l.role and r.nodeId = l.nodeId)`;

/** The plus before createdAt keeps its index out: what is wanted are the newest by id, and few logs at a time. */
function matches(p: Filter) {
  return sql<boolean>`(${p.role} = '' or l.role = ${p.role}) and (${p.nodeId} = 0 or l.nodeId = ${p.nodeId})
    and (${p.byNodes} = 0 or l.nodeId in ${anyOf(p.nodeIds)})
    and (${p.serverId} = 0 or l.serverId = ${p.serverId}) and (${p.allServers} = 0 or l.serverId > 0)
    and (${p.originId} = 0 or l.originId = ${p.originId})
    and (${p.byLevels} = 0 or l.level in ${anyOf(p.levels)})
    and +l.createdAt >= ${p.from} and +l.createdAt < ${p.to}
    and (${p.pattern} = '' or l.tag like ${p.pattern} escape '\\' or l.description like ${p.pattern} escape '\\')
    and (${p.tagPattern} = '' or l.tag like ${p.tagPattern} escape '\\')
    and (${p.fixedState} = 0
      or (${isFixed} = (${p.fixedState} = 1) and l.level in ('error', 'success', 'warning')))
    and ${notRemoved}`;
}

/** The newest of the logs that match and say the same; all but times and marks is the same in them. */
function isNewest(p: Filter, unread: boolean) {
  return sql<boolean>`(${p.fixedState} = 0 or not exists (
    select 1 from nodeLogs as later where later.hash = l.hash and later.id > l.id
      and +later.createdAt >= ${p.from} and +later.createdAt < ${p.to}
      and (later.isFixed = 1 or later.id <= ${fixedThrough}) = (${p.fixedState} = 1)
      ${unread ? sql`and later.isRead = 0 and later.id > ${readThrough}` : sql``}))`;
}

/** The SQL that finds and lists logs. */
export function nodeLogStore(db: Db<Tables>) {
  const newestFirst = (q: Kysely<Tables>) =>
    q.selectFrom("nodeLogs as l").selectAll("l").select([isRead.as("isRead"), isFixed.as("isFixed")])
      .orderBy("l.id", "desc");
  // No one index serves these filters: they run apart from the event loop.
  const matching = (unread: boolean) => {
    const marked = unread ? isUnread : sql<boolean>`1`;
    return {
      page: db.query((q, p: Filter & Page) =>
        newestFirst(q).where(marked).where(matches(p)).where(isNewest(p, unread)).limit(p.size).offset(p.offset)
      ),
      ids: db.query((q, p: Filter & Page) =>
        q.selectFrom("nodeLogs as l").select("l.id").where(marked).where(matches(p)).where(isNewest(p, unread))
          .orderBy("l.id", "desc").limit(p.size).offset(p.offset)
      ),
      count: db.query((q, p: Filter) =>
        q.selectFrom("nodeLogs as l").select((count) => count.fn.countAll<bigint>().as("count")).where(marked)
          .where(matches(p))
      ),
      /** How many different things the logs say. */
      countDifferent: db.query((q, p: Filter) =>
        q.selectFrom("nodeLogs as l").select((count) => count.fn.count<bigint>("l.hash").distinct().as("count"))
          .where(marked).where(matches(p))
      ),
    };
  };

  return {
    /** The last log of each of some nodes, which come as rows with role and nodeId. */
    lastOfNodes: db.query((q, p: { nodes: string }) =>
      q.selectFrom([sql<{ value: string }>`json_each(${p.nodes})`.as("item"), "nodeLogs as l"])
        .select(["l.id", "l.role", "l.nodeId", "l.hash", "l.createdAt", isFixed.as("isFixed")])
        .where(sql<boolean>`l.id = (select max(id) from nodeLogs
          where role = item.value ->> 'role' and nodeId = item.value ->> 'nodeId')`)
    ),
    page: db.query((q, p: Page) => newestFirst(q).where(notRemoved).limit(p.size).offset(p.offset)),
    pageOfRole: db.query((q, p: Page & { role: string }) =>
      newestFirst(q).where("l.role", "=", p.role).where(notRemoved).limit(p.size).offset(p.offset)
    ),
    pageOfNode: db.query((q, p: Page & { role: string; nodeId: bigint }) =>
      newestFirst(q).where("l.role", "=", p.role).where("l.nodeId", "=", p.nodeId).where(notRemoved).limit(p.size)
        .offset(p.offset)
    ),
    /** Adds up what is kept for each node; empty and 0 stand for all. */
    count: db.query((q, p: { role: string; nodeId: bigint }) =>
      q.selectFrom("nodeLogCounts as l").select(sql<bigint>`coalesce(sum(l.total), 0)`.as("count"))
        .where(sql<boolean>`(${p.role} = '' or l.role = ${p.role}) and (${p.nodeId} = 0 or l.nodeId = ${p.nodeId})`)
        .where(notRemoved)
    ),
    marks: db.query((q) => q.selectFrom("nodeLogMarks").selectAll()),
    hashes: db.query((q, p: { ids: bigint[] }) =>
      q.selectFrom("nodeLogs").select("hash").distinct().where("id", "in", anyOf(p.ids))
    ),
    nextRemoval: db.query((q) => q.selectFrom("nodeLogRemovals").selectAll().limit(1)),
    all: matching(false),
    unread: matching(true),
  };
}

export type NodeLogStore = ReturnType<typeof nodeLogStore>;
