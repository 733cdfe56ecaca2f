import { MAX_SEARCHED } from "../../http_access_log/contract/log_fields.ts";
import type { Condition, LogFilter } from "../../http_access_log/contract/log_store.ts";
import { hostMatcher, lowerAscii } from "./host_pattern.ts";
import { type Column, ipTerm, ipText, numberTerm, textTerm } from "../terms/terms.ts";

/**
 * A plan for finding the logs of a filter in a segment. It may find more than the filter matches; `Matcher` decides.
 */
export type Plan =
  | { readonly kind: "term"; readonly column: Column; readonly term: Uint8Array }
  /** Both ends are inclusive; terms with the prefix `to` are included. */
  | { readonly kind: "range"; readonly column: Column; readonly from: Uint8Array; readonly to: Uint8Array }
  | { readonly kind: "terms"; readonly column: Column; readonly matches: (term: Uint8Array) => boolean }
  /** A lower-case text that requestURI contains, or equals if `isWhole`. */
  | { readonly kind: "uri"; readonly text: Uint8Array; readonly isWhole: boolean }
  | { readonly kind: "requestId"; readonly requestId: string }
  | { readonly kind: "all" }
  | { readonly kind: "and"; readonly plans: readonly Plan[] }
  | { readonly kind: "or"; readonly plans: readonly Plan[] };

const decoder = new TextDecoder();
const ADDRESS = /^[0-9a-f.:[\]\s]*$/;
const AFTER_ALL = new Uint8Array(9).fill(0xff);

export function planOf(filter: LogFilter): Plan {
  const plans: Plan[] = [];
  for (
    const column of [
      "serverId",
      "firewallRuleSetId",
      "firewallRuleGroupId",
      "firewallPolicyId",
      "userId",
      "nodeId",
      "nodeClusterId",
    ] as const
  ) {
    if (filter[column] !== 0n) plans.push({ kind: "term", column, term: numberTerm(filter[column]) });
  }
  if (filter.ip !== undefined) plans.push(addresses(filter.ip));
  if (filter.host.includes("*")) plans.push(hosts(filter.host));
  else if (filter.host !== "") plans.push({ kind: "term", column: "host", term: textTerm(filter.host) });
  if (filter.hasError) plans.push(numbers("status", 400n, 0xffff_ffffn));
  if (filter.hasFirewallPolicy && filter.firewallPolicyId === 0n) {
    plans.push({ kind: "range", column: "firewallPolicyId", from: new Uint8Array(0), to: AFTER_ALL });
  }
  if (filter.keyword !== undefined) plans.push(conditionPlan(filter.keyword));
  return plans.length === 1 ? plans[0]! : { kind: "and", plans };
}

function numbers(column: Column, from: bigint, to: bigint): Plan {
  return { kind: "range", column, from: numberTerm(from), to: numberTerm(to) };
}

function addresses({ from, to }: { from: string; to: string }): Plan {
  return { kind: "range", column: "ip", from: ipTerm(from), to: ipTerm(to) };
}

function hosts(pattern: string): Plan {
  const matches = hostMatcher(pattern);
  return { kind: "terms", column: "host", matches: (term) => matches(decoder.decode(term)) };
}

function containing(column: Column, text: string): Plan {
  if (text === "") return { kind: "all" };
  const lowered = lowerAscii(text);
  return { kind: "terms", column, matches: (term) => lowerAscii(decoder.decode(term)).includes(lowered) };
}

function conditionPlan(condition: Condition): Plan {
  switch (condition.kind) {
    case "ip":
      return addresses(condition);
    case "status":
      return numbers("status", condition.from, condition.to);
    case "requestId":
      return condition;
    case "contains":
      return containing(condition.column, condition.text);
    case "url": {
      const { scheme, host, uri } = condition;
      const terms: Plan[] = [
        { kind: "term", column: "scheme", term: textTerm(scheme) },
        { kind: "term", column: "host", term: textTerm(host) },
      ];
      return { kind: "and", plans: [...terms, uriPlan(uri, uri.length < MAX_SEARCHED)] };
    }
    case "anywhere":
      return anywhere(condition.text);
    case "anyOf":
      return { kind: "or", plans: condition.conditions.map(conditionPlan) };
  }
}

function anywhere(text: string): Plan {
  if (text === "") return { kind: "all" };
  const lowered = lowerAscii(text);
  const plans: Plan[] = [
    // most keywords cannot be part of an address
    ADDRESS.test(lowered)
      ? { kind: "terms", column: "ip", matches: (term) => lowerAscii(ipText(term)).includes(lowered) }
      : { kind: "range", column: "ip", from: new Uint8Array(0), to: new Uint8Array([0]) },
    containing("host", text),
    containing("userAgent", text),
    { kind: "term", column: "tags", term: textTerm(text) },
    { kind: "term", column: "requestMethod", term: textTerm(text.toUpperCase()) },
    uriPlan(text, false),
  ];
  return { kind: "or", plans };
}

function uriPlan(text: string, isWhole: boolean): Plan {
  return { kind: "uri", text: textTerm(lowerAscii(text)), isWhole };
}

/** Returns true if a plan has to read URIs. */
export function readsUris(plan: Plan): boolean {
  if (plan.kind === "and" || plan.kind === "or") return plan.plans.some(readsUris);
  return plan.kind === "uri";
}
