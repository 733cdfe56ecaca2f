import { anyOf, type Call, containing, type Db } from "edgehelm";
import { type Kysely, type RawBuilder, sql, type SqlBool } from "kysely";
import type { Condition, LogFilter, LogPage } from "./log_store.ts";
import type { Tables } from "./store.ts";

export interface HTTPAccessLogRow {
  requestId: string;
  partition: bigint;
  serverId: bigint;
  userId: bigint;
  nodeId: bigint;
  nodeClusterId: bigint;
  status: bigint;
  firewallPolicyId: bigint;
  firewallRuleGroupId: bigint;
  firewallRuleSetId: bigint;
  ipKey: string;
  remoteAddr: string;
  host: string;
  scheme: string;
  proto: string;
  requestMethod: string;
  requestURI: string;
  requestPath: string;
  referer: string;
  userAgent: string;
  tags: string;
}

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

/** The logs of a page with what is shown of them, in the page's direction. */
export async function listLogs(db: Db<Tables>, call: Call, filter: LogFilter, page: LogPage) {
  const tests = LEADERS.flatMap((leader) => leader(filter) ?? []);
  const rest = testsOf(filter);
  const build = (q: Kysely<Tables>) => {
    let query = q.selectFrom("httpAccessLogs").select(["id"]).where("requestId", ">=", filter.from)
      .where("requestId", "<=", filter.to).orderBy("requestId", page.oldestFirst ? "asc" : "desc").limit(page.size);
    if (page.cursor !== "") query = query.where("requestId", page.oldestFirst ? ">" : "<", page.cursor);
    for (const [index, test] of tests.entries()) {
      // the likelihood keeps the planner from leading by anything but the first
      query = query.where(index === 0 ? test : sql<SqlBool>`likely(${test})`);
    }
    for (const test of rest) query = query.where(sql<SqlBool>`likely(${test})`);
    return query;
  };
  const isBounded = tests.length <= 1 && rest.length === 0;
  const found = isBounded ? await build(db(call)).execute() : await db.query((q) => build(q)).scan(call, {});
  const ids = found.map(({ id }) => id);
  if (ids.length === 0) return [];
  return await db(call).selectFrom("httpAccessLogs").innerJoin("httpAccessLogDetails as d", "d.id", "httpAccessLogs.id")
    .select(["d.log", "userId", "nodeClusterId"]).where("httpAccessLogs.id", "in", anyOf(ids))
    .orderBy("requestId", page.oldestFirst ? "asc" : "desc").execute();
}

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
