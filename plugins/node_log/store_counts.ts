import { anyOf, type Call, type Db, type Page } from "edgehelm";
import { type IdRanges, idRanges } from "edgehelm/storage";
import { type Kysely, type RawBuilder, sql, type SqlBool } from "kysely";
import { type Filter, readThrough, type Tables } from "./store.ts";

type Values = Filter & { readonly scope: bigint; readonly scopeIds: bigint[] };

const [EVERYTHING, NODE, SITE, ORIGIN] = [0n, 1n, 2n, 3n];
/** The number of low bits of an id that a bucket spans, in each scope: for totals and for finding pages. */
const BITS = {
  all: { total: 18n, coarse: 18n, fine: 10n },
  node: { total: 62n, coarse: 16n, fine: 16n },
};
/** The maximum number of nodes whose counts are summed on the event loop. */
const MAX_NODES_ON_EVENT_LOOP = 50;

const KEY = ["scope", "scopeId", "idBits", "bucket", "role", "day", "level", "ofSite"] as const;
/** The scopes and bucket sizes in which each log is counted. */
const SCOPES = sql.raw(`(select 0 as scope, 18 as idBits union all select 0, 10 union all select 1, 62
  union all select 1, 16 union all select 2, 62 union all select 3, 62)`);
const SCOPE_ID = sql.raw("case s.scope when 0 then 0 when 1 then l.nodeId when 2 then l.serverId else l.originId end");
const COLUMNS = [...KEY, "n", "unread", "since"] as const;

/** Maintains the numbers of logs per bucket of ids with each change, and reads totals and id ranges from them. */
export function nodeLogCounts(db: Db<Tables>) {
  const inScope = (q: Kysely<Tables>, p: Values) =>
    q.selectFrom("nodeLogBuckets").where("scope", "=", p.scope).where("scopeId", "in", anyOf(p.scopeIds))
      .where(sql<SqlBool>`(${p.role} = '' or role = ${p.role})
        and (${p.byLevels} = 0 or level in ${anyOf(p.levels)})
        and day >= ${p.from} / 86400 and day < ${p.to} / 86400 and (${p.allServers} = 0 or ofSite = 1)
        and not exists (select 1 from nodeLogRemovals as r
          where nodeLogBuckets.scope = 1 and r.role = nodeLogBuckets.role and r.nodeId = nodeLogBuckets.scopeId)`);
  const sum = (p: Values) =>
    sql<bigint>`coalesce(sum(iif(${p.isUnread}, iif(since = ${readThrough}, unread, 0), n)), 0)`;

  const total = db.query((q, p: Values & { idBits: bigint }) =>
    inScope(q, p).select(sum(p).as("n")).where("idBits", "=", p.idBits)
  );
  const buckets = db.query((q, p: Values & { idBits: bigint; first: bigint; last: bigint }) =>
    inScope(q, p).select(["bucket", sum(p).as("n")]).where("idBits", "=", p.idBits)
      .where("bucket", ">=", p.first).where("bucket", "<=", p.last).groupBy("bucket").orderBy("bucket", "desc")
  );
  /** The logs of deleted nodes that are still part of the total. */
  const deleting = db.query((q, p: Filter) =>
    q.selectFrom("nodeLogBuckets as b").innerJoin("nodeLogRemovals as r", "r.nodeId", "b.scopeId")
      .whereRef("b.role", "=", "r.role").where("b.scope", "=", NODE).where("b.idBits", "=", BITS.node.total)
      .where(sql<SqlBool>`(${p.role} = '' or b.role = ${p.role})
        and (${p.byLevels} = 0 or b.level in ${anyOf(p.levels)})
        and b.day >= ${p.from} / 86400 and b.day < ${p.to} / 86400 and (${p.allServers} = 0 or b.ofSite = 1)`)
      .select(sql<bigint>`coalesce(sum(iif(${p.isUnread}, iif(since = ${readThrough}, unread, 0), n)), 0)`.as("n"))
  );
  const anyDeletion = db.query((q) => q.selectFrom("nodeLogRemovals").select("nodeId").limit(1));

  /** Adds `rows` and `unread` to the counts for each log that `where` matches; `unread` only for unread logs. */
  function change<Params extends object>(where: (p: Params) => RawBuilder<SqlBool>, rows: bigint, unread: bigint) {
    return db.query((q, p: Params) =>
      q.insertInto("nodeLogBuckets").columns(COLUMNS).expression(sql`
        select s.scope, ${SCOPE_ID}, s.idBits, l.id >> s.idBits, l.role, l.createdAt / 86400, l.level,
          l.serverId > 0, ${sql.lit(rows)} * count(*),
          ${sql.lit(unread)} * sum(l.isRead = 0 and l.id > m.readThrough), m.readThrough
        from nodeLogs as l cross join nodeLogMarks as m cross join ${SCOPES} as s
        where ${where(p)} and (s.scope = 0 or ${SCOPE_ID} > 0) group by 1, 2, 3, 4, 5, 6, 7, 8`.$castTo<never>())
        .onConflict((conflict) =>
          conflict.columns([...KEY]).doUpdateSet({
            n: sql<bigint>`nodeLogBuckets.n + excluded.n`,
            unread: sql<bigint>`iif(nodeLogBuckets.since = excluded.since, nodeLogBuckets.unread, 0) + excluded.unread`,
            since: sql<bigint>`excluded.since`,
          })
        )
    );
  }

  function valuesOf(filter: Filter): Values {
    if (filter.byNodes) return { ...filter, scope: NODE, scopeIds: filter.nodeIds };
    if (filter.nodeId > 0n) return { ...filter, scope: NODE, scopeIds: [filter.nodeId] };
    if (filter.serverId > 0n) return { ...filter, scope: SITE, scopeIds: [filter.serverId] };
    if (filter.originId > 0n) return { ...filter, scope: ORIGIN, scopeIds: [filter.originId] };
    return { ...filter, scope: EVERYTHING, scopeIds: [0n] };
  }

  const byIds = (p: { ids: bigint[] }) => sql<SqlBool>`l.id in ${anyOf(p.ids)}`;
  return {
    /** Must run after logs with ids above `after` were added. */
    added: change(
      (p: { after: bigint; count: number }) =>
        sql<SqlBool>`l.id in (select id from nodeLogs where id > ${p.after} order by id limit ${p.count})`,
      1n,
      1n,
    ),
    /** Must run before logs are deleted. */
    deleted: change(byIds, -1n, -1n),
    /** Must run before logs are marked as read. */
    read: change(byIds, 0n, -1n),
    deleteEmpty: db.query((q, p: { limit: number }) =>
      q.deleteFrom("nodeLogBuckets").where(sql<SqlBool>`(scope, scopeId, idBits, bucket, role, day, level, ofSite)
        in (select scope, scopeId, idBits, bucket, role, day, level, ofSite from nodeLogBuckets where n = 0
          limit ${p.limit})`)
    ),

    /** Returns true if the number of logs that match the filter can be read from the counts. */
    async covers(call: Call, filter: Filter): Promise<boolean> {
      const { nodeId, byNodes, serverId, originId, keyword, tag, fixedState } = filter;
      if (keyword !== "" || tag !== "" || fixedState !== 0) return false;
      const scopes = [nodeId > 0n, byNodes, serverId > 0n, originId > 0n].filter(Boolean).length;
      if (scopes > 1) return false;
      if (nodeId > 0n || byNodes || scopes === 0) return true;
      return await anyDeletion.first(call, {}) === undefined;
    },

    /** Returns the number of logs that match a filter, which the counts must cover. */
    async total(call: Call, filter: Filter): Promise<bigint> {
      const values = valuesOf(filter);
      const idBits = values.scope === EVERYTHING ? BITS.all.total : BITS.node.total;
      const run = values.scopeIds.length > MAX_NODES_ON_EVENT_LOOP ? "scan" : "all";
      const { n } = (await total[run](call, { ...values, idBits }))[0]!;
      if (values.scope !== EVERYTHING || await anyDeletion.first(call, {}) === undefined) return n;
      return n - (await deleting.one(call, filter)).n;
    },

    /** Returns the ranges of ids that contain a page of the matching logs, or undefined when the counts cannot tell. */
    async ranges(call: Call, filter: Filter, page: Page): Promise<IdRanges | undefined> {
      const values = valuesOf(filter);
      if (values.scope === SITE || values.scope === ORIGIN) return undefined;
      if (values.scope === EVERYTHING && await anyDeletion.first(call, {}) !== undefined) return undefined;
      const run = values.scopeIds.length > MAX_NODES_ON_EVENT_LOOP ? "scan" : "all";
      return await idRanges(
        page,
        values.scope === EVERYTHING ? BITS.all : BITS.node,
        (idBits, first, last) => buckets[run](call, { ...values, idBits, first, last }),
      );
    },
  };
}

export type NodeLogCounts = ReturnType<typeof nodeLogCounts>;
