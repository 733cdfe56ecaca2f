import { anyOf, type Call, type Db } from "edgehelm";
import { containing } from "edgehelm/storage";
import { type Compilable, type Kysely, type RawBuilder, sql, type SqlBool } from "kysely";
import { ANYWHERE_TEXTS, likePattern } from "../contract/conditions.ts";
import type { Condition, FoundLogs, LogEntry, LogFilter, LogPage, SearchRange } from "../contract/log_store.ts";
import { dayOf } from "../contract/request_time.ts";
import type { Tables } from "./store_tables.ts";

type Test = RawBuilder<SqlBool>;

/** The conditions that have an index, the most selective first: the first one drives the query. */
const INDEXED: readonly ((filter: LogFilter) => Test | undefined)[] = [
  ({ ip }) => ip !== undefined && ip.from === ip.to ? sql`ipKey = ${ip.from}` : undefined,
  ({ serverId }) => serverId === 0n ? undefined : sql`serverId = ${serverId}`,
  ({ host }) => host === "" || host.includes("*") ? undefined : sql`host = ${host}`,
  ({ userId }) => userId === 0n ? undefined : sql`userId = ${userId} and userId <> 0`,
  ({ hasError }) => hasError ? sql`status >= 400` : undefined,
  ({ hasFirewallPolicy, firewallPolicyId }) =>
    hasFirewallPolicy || firewallPolicyId !== 0n ? sql`firewallPolicyId <> 0` : undefined,
];

/** The number of logs that the first step of a search reads; each step reads more than the one before. */
const FIRST_STEP = 1000;
const STEP_GROWTH = 8;
const MAX_SEARCHED_ROWS = 1_000_000;
/** Steps of more rows run outside the event loop. */
const MAX_INLINE_STEP = 1000;
/** The share of its remaining time that a call may search; the rest is for delivering the response. */
const SHARE_OF_TIME = 0.6;

interface Found {
  readonly id: bigint;
  readonly requestId: string;
}

/** Reads pages of logs. */
export class RowLists {
  readonly #db: Db<Tables>;
  readonly #partitionBounds;
  readonly #details;

  constructor(db: Db<Tables>) {
    this.#db = db;
    this.#partitionBounds = db.query((q, p: { day: bigint; partition: bigint }) =>
      q.selectFrom("httpAccessLogPartitions").select(["firstId", "lastId"]).where("day", "=", p.day)
        .where("partition", "=", p.partition)
    );
    this.#details = db.query((q, p: { ids: bigint[] }) =>
      q.selectFrom("httpAccessLogs").innerJoin("httpAccessLogDetails as d", "d.id", "httpAccessLogs.id")
        .select(["httpAccessLogs.id", "requestId", "d.log", "d.requestBody", "userId", "nodeClusterId"])
        .where("httpAccessLogs.id", "in", anyOf(p.ids))
    );
  }

  async list(call: Call, filter: LogFilter, page: LogPage): Promise<FoundLogs> {
    const range = await this.#range(call, filter, page);
    if (range === undefined || range.from > range.to) return { entries: [] };
    const tests = INDEXED.flatMap((test) => test(filter) ?? []);
    const rest = testsOf(filter);
    if (tests.length <= 1 && rest.length === 0) {
      const found = await this.#found(range, tests, page.size)(this.#db(call)).execute();
      return { entries: await this.#entries(call, found, page) };
    }
    const { found, stoppedAt } = await this.#search(call, range, tests, rest, page.size);
    return { entries: await this.#entries(call, found, page), stoppedAt };
  }

  /** Returns the request ids of the filter that lie in its partition; undefined if the partition does not exist. */
  async #range(call: Call, filter: LogFilter, { cursor, oldestFirst }: LogPage): Promise<SearchRange | undefined> {
    let { from, to } = filter;
    if (filter.partition !== undefined) {
      const bounds = await this.#partitionBounds.first(call, { day: dayOf(filter.from), partition: filter.partition });
      if (bounds === undefined) return undefined;
      from = bounds.firstId > from ? bounds.firstId : from;
      to = bounds.lastId < to ? bounds.lastId : to;
    }
    return { from, to, cursor, oldestFirst };
  }

  /** Searches in growing steps until the page is full, the range is searched, or a limit is reached. */
  async #search(call: Call, range: SearchRange, tests: readonly Test[], rest: readonly Test[], size: number) {
    const found: Found[] = [];
    const [driver] = tests;
    const end = Date.now() + (call.deadline - Date.now()) * SHARE_OF_TIME;
    let remaining = range;
    let searched = 0;
    for (let step = FIRST_STEP; searched < MAX_SEARCHED_ROWS; step *= STEP_GROWTH) {
      const [lastRow] = await this.#run(call, step, this.#lastOfStep(remaining, driver, step));
      const last = lastRow?.requestId;
      const current = last === undefined ? remaining : { ...remaining, [remaining.oldestFirst ? "to" : "from"]: last };
      found.push(...await this.#run(call, step, this.#found(current, [...tests, ...rest], size - found.length)));
      if (found.length >= size || last === undefined) return { found };
      searched += step;
      remaining = { ...remaining, cursor: last };
      if (searched >= MAX_SEARCHED_ROWS || Date.now() >= end) return { found, stoppedAt: last };
    }
    return { found };
  }

  #run(call: Call, step: number, build: (q: Kysely<Tables>) => Compilable<Found> & { execute(): Promise<Found[]> }) {
    if (step <= MAX_INLINE_STEP) return build(this.#db(call)).execute();
    return this.#db.query((q) => build(q)).scan(call, {});
  }

  /** Builds a query for the last log of a step; it has no result if fewer logs remain. */
  #lastOfStep(range: SearchRange, driver: Test | undefined, step: number) {
    const within = this.#found(range, driver === undefined ? [] : [driver], 1);
    return (q: Kysely<Tables>) => within(q).offset(step - 1);
  }

  #found({ from, to, cursor, oldestFirst }: SearchRange, tests: readonly Test[], size: number) {
    return (q: Kysely<Tables>) => {
      let query = q.selectFrom("httpAccessLogs").select(["id", "requestId"]).where("requestId", ">=", from)
        .where("requestId", "<=", to).orderBy("requestId", oldestFirst ? "asc" : "desc").limit(size);
      if (cursor !== "") query = query.where("requestId", oldestFirst ? ">" : "<", cursor);
      for (const [index, test] of tests.entries()) {
        // likely() keeps the planner from using the index of any test but the first
        query = query.where(index === 0 ? test : sql<SqlBool>`likely(${test})`);
      }
      return query;
    };
  }

  async #entries(call: Call, found: readonly Found[], { withBodies }: LogPage): Promise<LogEntry[]> {
    if (found.length === 0) return [];
    const details = await this.#details.all(call, { ids: found.map(({ id }) => id) });
    const rows = new Map(details.map((row) => [row.id, row]));
    return found.flatMap(({ id }) => {
      const row = rows.get(id);
      if (row === undefined) return [];
      return { ...row, requestBody: withBodies && row.requestBody !== null ? row.requestBody : NO_BODY };
    });
  }
}

const NO_BODY = new Uint8Array();

/** Returns the conditions that have no index. */
function testsOf(filter: LogFilter): Test[] {
  const { ip, host, partition, keyword } = filter;
  const tests: Test[] = [];
  if (ip !== undefined && ip.from !== ip.to) tests.push(sql`ipKey between ${ip.from} and ${ip.to}`);
  if (host.includes("*")) tests.push(sql`host like ${likePattern(host)} escape '\\'`);
  if (partition !== undefined) tests.push(sql`partition = ${partition}`);
  for (
    const column of ["nodeId", "nodeClusterId", "firewallPolicyId", "firewallRuleGroupId", "firewallRuleSetId"] as const
  ) {
    if (filter[column] !== 0n) tests.push(sql`${sql.ref(column)} = ${filter[column]}`);
  }
  if (keyword !== undefined) tests.push(conditionOf(keyword));
  return tests;
}

function conditionOf(condition: Condition): Test {
  switch (condition.kind) {
    case "ip":
      return sql`ipKey between ${condition.from} and ${condition.to}`;
    case "status":
      return sql`status between ${condition.from} and ${condition.to}`;
    case "requestId":
      return sql`requestId = ${condition.requestId}`;
    case "contains":
      return sql`${sql.ref(condition.column)} like ${containing(condition.text)} escape '\\'`;
    case "url":
      return sql`(scheme = ${condition.scheme} and host = ${condition.host} and requestURI = ${condition.uri})`;
    case "anywhere": {
      const like = ANYWHERE_TEXTS.map((column) =>
        sql`${sql.ref(column)} like ${containing(condition.text)} escape '\\'`
      );
      const isTag = sql`exists (select 1 from json_each(tags) where value = ${condition.text})`;
      return sql`(${sql.join([...like, isTag, sql`requestMethod = ${condition.text.toUpperCase()}`], sql` or `)})`;
    }
    case "anyOf":
      return sql`(${sql.join(condition.conditions.map(conditionOf), sql` or `)})`;
  }
}
