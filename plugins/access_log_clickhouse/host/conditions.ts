import { ANYWHERE_TEXTS, type Condition, likePattern, type LogFilter } from "../../http_access_log/contract.ts";
import { REMOVED_USERS } from "./schema.ts";

/** The columns with ids. */
export const IDS = [
  "serverId",
  "userId",
  "nodeId",
  "nodeClusterId",
  "firewallPolicyId",
  "firewallRuleGroupId",
  "firewallRuleSetId",
] as const;

/** Returns a text as an SQL literal. */
export function literal(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&").replaceAll("\0", "\\0")}'`;
}

/** Returns a condition that matches any of the ids. It uses one literal, since servers limit the length of lists. */
export function isOneOf(ids: readonly string[]): string {
  return `requestId in (select arrayJoin(splitByChar(' ', ${literal(ids.join(" "))})))`;
}

/** The condition that hides the logs of removed users. */
export const VISIBLE = `userId not in (select userId from ${REMOVED_USERS})`;

/** Returns the conditions of a filter, except for the range of request ids; all must hold. */
export function conditionsOf(filter: LogFilter): string[] {
  const { partition, hasFirewallPolicy, hasError, ip, host, keyword } = filter;
  const tests = [VISIBLE];
  if (partition !== undefined) tests.push(`part = ${partition}`);
  for (const id of IDS) if (filter[id] !== 0n) tests.push(`${id} = ${filter[id]}`);
  if (hasFirewallPolicy) tests.push("firewallPolicyId != 0");
  if (hasError) tests.push("status >= 400");
  if (ip !== undefined) tests.push(between("ipKey", ip));
  if (host !== "") {
    tests.push(host.includes("*") ? `host like ${literal(likePattern(host))}` : `host = ${literal(host)}`);
  }
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
      const all = [...ANYWHERE_TEXTS.map((column) => contains(column, text)), `has(tags, ${literal(text)})`, method];
      return `(${all.join(" or ")})`;
    }
    case "anyOf":
      return `(${condition.conditions.map(conditionOf).join(" or ")})`;
  }
}

function between(column: string, { from, to }: { readonly from: string; readonly to: string }): string {
  return `(${column} >= ${literal(from)} and ${column} <= ${literal(to)})`;
}

/** Returns a condition that ignores the case of ASCII letters only. */
function contains(column: string, text: string): string {
  return text === "" ? "1" : `positionCaseInsensitive(${column}, ${literal(text)}) > 0`;
}
