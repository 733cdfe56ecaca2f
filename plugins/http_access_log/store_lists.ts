import { anyOf, type Call, containing, type Db } from "edgehelm";
import { type Compilable, type Kysely, type RawBuilder, sql, type SqlBool } from "kysely";
import type { Condition, FoundLogs, LogEntry, LogFilter, LogPage } from "./log_store.ts";
import { dayOf } from "./request_id.ts";
import type { Tables } from "./store_tables.ts";

type Test = RawBuilder<SqlBool>;

/** What an index finds by itself, the narrowest first; one of them leads, the others are looked at row by row. */
const LEADERS: readonly ((filter: LogFilter) => Test | undefined)[] = [
  ({ ip }) => ip !== undefined && ip.from === ip.to ? sql`ipKey = ${ip.from}` : undefined,
  ({ serverId }) => serverId === 0n ? undefined : sql`serverId = ${serverId}`,
  ({ host }) => host === "" || host.includes("*") ? undefined : sql`host = ${host}`,
  ({ userId }) => userId === 0n ? undefined : sql`userId = ${userId} and userId <> 0`,
  ({ hasError }) => hasError ? sql`status >= 400` : undefined,
  ({ hasFirewallPolicy, firewallPolicyId }) =>
    hasFirewallPolicy || firewallPolicyId !== 0n ? sql`firewallPolicyId <> 0` : undefined,
];

const SEARCHED = ["remoteAddr", "requestURI", "host", "userAgent"] as const;

/** How many logs are looked at in the first step of a search, in each next one, and in all. */
const FIRST_STEP = 1000;
const STEP_GROWTH = 8;
const MAX_SEARCHED = 1_000_000;
/** A step of more goes on away from the event loop. */
const MAX_HERE = 1000;
/** How much of the time that is left a search may take, so that its answer still arrives. */
const SHARE_OF_TIME = 0.6;

interface Found {
  readonly id: bigint;
  readonly requestId: string;
}

/** The request ids among which is searched. */
interface Stretch {
  readonly from: string;
  readonly to: string;
  /** The one beyond which it begins; empty for the beginning. */
  readonly cursor: string;
  readonly oldestFirst: boolean;
}

/** Pages of logs. */
export class RowLists {
  readonly #db: Db<Tables>;
  readonly #bounds;
  readonly #shown;

  constructor(db: Db<Tables>) {
    this.#db = db;
    this.#bounds = db.query((q, p: { day: bigint; partition: bigint }) =>
      q.selectFrom("httpAccessLogPartitions").select(["firstId", "lastId"]).where("day", "=", p.day)
        .where("partition", "=", p.partition)
    );
    this.#shown = db.query((q, p: { ids: bigint[] }) =>
      q.selectFrom("httpAccessLogs").innerJoin("httpAccessLogDetails as d", "d.id", "httpAccessLogs.id")
        .select(["httpAccessLogs.id", "requestId", "d.log", "d.requestBody", "userId", "nodeClusterId"])
        .where("httpAccessLogs.id", "in", anyOf(p.ids))
    );
  }

  async list(call: Call, filter: LogFilter, page: LogPage): Promise<FoundLogs> {
    const stretch = await this.#stretch(call, filter, page);
    if (stretch === undefined || stretch.from > stretch.to) return { entries: [] };
    const tests = LEADERS.flatMap((leader) => leader(filter) ?? []);
    const rest = testsOf(filter);
    if (tests.length <= 1 && rest.length === 0) {
      const found = await this.#found(stretch, tests, page.size)(this.#db(call)).execute();
      return { entries: await this.#entries(call, found, page) };
    }
    const { found, stoppedAt } = await this.#search(call, stretch, tests, rest, page.size);
    return { entries: await this.#entries(call, found, page), stoppedAt };
  }

  /** The request ids of the page: those of the filter beyond the cursor, within the partition. */
  async #stretch(call: Call, filter: LogFilter, { cursor, oldestFirst }: LogPage): Promise<Stretch | undefined> {
    let { from, to } = filter;
    if (filter.partition !== undefined) {
      const bounds = await this.#bounds.first(call, { day: dayOf(filter.from), partition: filter.partition });
      if (bounds === undefined) return undefined;
      from = bounds.firstId > from ? bounds.firstId : from;
      to = bounds.lastId < to ? bounds.lastId : to;
    }
    return { from, to, cursor, oldestFirst };
  }

  /** Looks at more and more logs until the page is full, they are through, or it took long enough. */
  async #search(call: Call, stretch: Stretch, tests: readonly Test[], rest: readonly Test[], size: number) {
    const found: Found[] = [];
    const [leader] = tests;
    const end = Date.now() + (call.deadline - Date.now()) * SHARE_OF_TIME;
    let left = stretch;
    let searched = 0;
    for (let step = FIRST_STEP; searched < MAX_SEARCHED; step *= STEP_GROWTH) {
      const border = await this.#run(call, step, this.#border(left, leader, step));
      const last = border[0]?.requestId;
      const piece = last === undefined ? left : { ...left, [left.oldestFirst ? "to" : "from"]: last };
      found.push(...await this.#run(call, step, this.#found(piece, [...tests, ...rest], size - found.length)));
      if (found.length >= size || last === undefined) return { found };
      searched += step;
      left = { ...left, cursor: last };
      if (searched >= MAX_SEARCHED || Date.now() >= end) return { found, stoppedAt: last };
    }
    return { found };
  }

  #run(call: Call, step: number, build: (q: Kysely<Tables>) => Compilable<Found> & { execute(): Promise<Found[]> }) {
    if (step <= MAX_HERE) return build(this.#db(call)).execute();
    return this.#db.query((q) => build(q)).scan(call, {});
  }

  /** The last log of a step, if there are so many. */
  #border(stretch: Stretch, leader: Test | undefined, step: number) {
    const within = this.#found(stretch, leader === undefined ? [] : [leader], 1);
    return (q: Kysely<Tables>) => within(q).offset(step - 1);
  }

  #found({ from, to, cursor, oldestFirst }: Stretch, tests: readonly Test[], size: number) {
    return (q: Kysely<Tables>) => {
      let query = q.selectFrom("httpAccessLogs").select(["id", "requestId"]).where("requestId", ">=", from)
        .where("requestId", "<=", to).orderBy("requestId", oldestFirst ? "asc" : "desc").limit(size);
      if (cursor !== "") query = query.where("requestId", oldestFirst ? ">" : "<", cursor);
      for (const [index, test] of tests.entries()) {
        // the likelihood keeps the planner from leading by anything but the first
        query = query.where(index === 0 ? test : sql<SqlBool>`likely(${test})`);
      }
      return query;
    };
  }

  async #entries(call: Call, found: readonly Found[], { withBodies }: LogPage): Promise<LogEntry[]> {
    if (found.length === 0) return [];
    const rows = new Map((await this.#shown.all(call, { ids: found.map(({ id }) => id) })).map((row) => [row.id, row]));
    return found.flatMap(({ id }) => {
      const row = rows.get(id);
      if (row === undefined) return [];
      return { ...row, requestBody: withBodies && row.requestBody !== null ? row.requestBody : NO_BODY };
    });
  }
}

const NO_BODY = new Uint8Array();

/** What no index finds. */
function testsOf(filter: LogFilter): Test[] {
  const { ip, host, partition, keyword } = filter;
  const tests: Test[] = [];
  if (ip !== undefined && ip.from !== ip.to) tests.push(sql`ipKey between ${ip.from} and ${ip.to}`);
  if (host.includes("*")) tests.push(sql`host like ${pattern(host)} escape '\\'`);
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
      const like = SEARCHED.map((column) => sql`${sql.ref(column)} like ${containing(condition.text)} escape '\\'`);
      const isTag = sql`exists (select 1 from json_each(tags) where value = ${condition.text})`;
      return sql`(${sql.join([...like, isTag, sql`requestMethod = ${condition.text.toUpperCase()}`], sql` or `)})`;
    }
    case "either":
      return sql`(${sql.join(condition.conditions.map(conditionOf), sql` or `)})`;
  }
}

/** A host with * for any text as a pattern of LIKE. */
function pattern(host: string): string {
  return host.split("*").map((part) => part.replace(/[\\%_]/g, (sign) => `\\${sign}`)).join("%");
}
