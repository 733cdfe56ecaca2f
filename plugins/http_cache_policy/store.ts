import { anyOf, type Db, type Flag, isLive, liveRows, type Page, rowCount } from "edgehelm";
import type { LiveTable } from "edgehelm/rows";
import { type Kysely, type Selectable, sql, type SqlBool } from "kysely";
import type { PolicyType } from "./rules.ts";
import { errors } from "./errors.ts";

export interface Tables {
  httpCachePolicies: LiveTable<{
    isOn: Flag;
    name: string;
    description: string;
    type: PolicyType;
    capacityJSON: Uint8Array;
    maxSizeJSON: Uint8Array;
    /** Empty if no options were set, which only memory policies allow. */
    optionsJSON: Uint8Array;
    syncCompressionCache: Flag;
    /** Empty for the nodes' default. */
    fetchTimeoutJSON: Uint8Array;
    refsJSON: Uint8Array;
  }>;
}

export type HTTPCachePolicyRow = Selectable<Tables["httpCachePolicies"]>;

/** Selects policies for a list or a count. */
export interface Filter {
  readonly type: string;
  /** A LIKE pattern from `containing`. */
  readonly pattern: string;
}

const SETTINGS = [
  "isOn",
  "name",
  "description",
  "type",
  "capacityJSON",
  "maxSizeJSON",
  "optionsJSON",
  "syncCompressionCache",
  "fetchTimeoutJSON",
] as const;

/** Defines all SQL statements of this plugin. */
export function httpCachePolicyStore(db: Db<Tables>) {
  const live = (q: Kysely<Tables>) => q.selectFrom("httpCachePolicies").where(isLive);
  const rows = (q: Kysely<Tables>) => live(q).selectAll().orderBy("id", "desc");
  const count = (q: Kysely<Tables>) => live(q).select(rowCount);
  const matches = (p: Filter) => sql<SqlBool>`${p.type} in ('', type) and name like ${p.pattern} escape '\\'`;

  return {
    ...liveRows(db, "httpCachePolicies", errors.not_found),
    insert: db.insert("httpCachePolicies", [...SETTINGS, "refsJSON"]),
    update: db.update("httpCachePolicies", SETTINGS),
    setRefs: db.update("httpCachePolicies", ["refsJSON"]),
    summaries: db.query((q, p: { ids: bigint[] }) =>
      live(q).select(["id", "name", "isOn"]).where("id", "in", anyOf(p.ids))
    ),
    all: db.query((q) => live(q).select(["id", "name", "isOn"]).orderBy("id", "desc")),
    page: db.query((q, p: Page) => rows(q).limit(p.size).offset(p.offset)),
    count: db.query(count),
    pageOfType: db.query((q, p: Filter & Page) =>
      rows(q).where("type", "=", p.type as PolicyType).limit(p.size).offset(p.offset)
    ),
    countOfType: db.query((q, p: Filter) => count(q).where("type", "=", p.type as PolicyType)),
    // A substring search cannot use an index, so these run outside the event loop.
    pageMatching: db.query((q, p: Filter & Page) => rows(q).where(matches(p)).limit(p.size).offset(p.offset)),
    countMatching: db.query((q, p: Filter) => count(q).where(matches(p))),
  };
}

export type HTTPCachePolicyStore = ReturnType<typeof httpCachePolicyStore>;
