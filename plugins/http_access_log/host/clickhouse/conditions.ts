import type { Condition, LogFilter } from "../../log_store.ts";
import { REMOVED_USERS } from "./schema.ts";

const SEARCHED = ["remoteAddr", "requestURI", "host", "userAgent"] as const;
const IDS = [
  "serverId",
  "userId",
  "nodeId",
  "nodeClusterId",
  "firewallPolicyId",
  "firewallRuleGroupId",
  "firewallRuleSetId",
] as const;

/** A text as a literal. */
export function literal(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&").replaceAll("\0", "\\0")}'`;
}

/** That a request is one of these, as one literal: lists of many are more than servers parse. */
export function isOneOf(ids: readonly string[]): string {
  return `requestId in (select arrayJoin(splitByChar(' ', ${literal(ids.join(" "))})))`;
}

/** What of logs is never shown. */
export const SHOWN = `userId not in (select userId from ${REMOVED_USERS})`;

/** What a filter asks for beside the request ids, as conditions that all must hold. */
export function conditionsOf(filter: LogFilter): string[] {
  const { partition, hasFirewallPolicy, hasError, ip, host, keyword } = filter;
  const tests = [SHOWN];
  if (partition !== undefined) tests.push(`part = ${partition}`);
  for (const id of IDS) if (filter[id] !== 0n) tests.push(`${id} = ${filter[id]}`);
  if (hasFirewallPolicy) tests.push("firewallPolicyId != 0");
  if (hasError) tests.push("status >= 400");
  if (ip !== undefined) tests.push(between("ipKey", ip));
  if (host !== "") tests.push(host.includes("*") ? `host like ${literal(pattern(host))}` : `host = ${literal(host)}`);
  if (keyword !== undefined) tests.push(conditionOf(keyword));
  return tests;
}

function conditionOf(condition: Condition): string {
  switch (condition.kind) {
    case "ip":
      return between("ipKey", condition);
    case "status":
      return `(status >= ${condition.from} and status <= ${condition.to})`;
    case "requestId":
      return `requestId = ${literal(condition.requestId)}`;
    case "contains":
      return contains(condition.column, condition.text);
    case "url": {
      const { scheme, host, uri } = condition;
      return `(scheme = ${literal(scheme)} and host = ${literal(host)} and requestURI = ${literal(uri)})`;
    }
    case "anywhere": {
      const { text } = condition;
      const method = `requestMethod = ${literal(text.toUpperCase())}`;
      const all = [...SEARCHED.map((column) => contains(column, text)), `has(tags, ${literal(text)})`, method];
      return `(${all.join(" or ")})`;
    }
    case "either":
      return `(${condition.conditions.map(conditionOf).join(" or ")})`;
  }
}

function between(column: string, { from, to }: { readonly from: string; readonly to: string }): string {
  return `(${column} >= ${literal(from)} and ${column} <= ${literal(to)})`;
}

/** Only the case of ASCII letters does not matter. */
function contains(column: string, text: string): string {
  return text === "" ? "1" : `positionCaseInsensitive(${column}, ${literal(text)}) > 0`;
}

/** A host with * for any text as a pattern of LIKE. */
function pattern(host: string): string {
  return host.split("*").map((part) => part.replace(/[\\%_]/g, "\\$&")).join("%");
}
