import type { Condition, LogFilter } from "../log_store.ts";
import { hostPattern, lowerAscii } from "./match.ts";
import { type Column, ipTerm, ipText, numberTerm, textTerm } from "./terms.ts";

/**
 * How the logs that a filter takes are found in a segment. What it finds may be a little more; `Matcher` has the last
 * word.
 */
export type Plan =
  | { readonly kind: "term"; readonly column: Column; readonly term: Uint8Array }
  /** Both ends included; a term that begins as `to` does is within. */
  | { readonly kind: "range"; readonly column: Column; readonly from: Uint8Array; readonly to: Uint8Array }
  | { readonly kind: "terms"; readonly column: Column; readonly matches: (term: Uint8Array) => boolean }
  /** Text within requestURI, in lower case. */
  | { readonly kind: "uri"; readonly text: Uint8Array; readonly isWhole: boolean }
  | { readonly kind: "requestId"; readonly requestId: string }
  | { readonly kind: "every" }
  | { readonly kind: "both"; readonly plans: readonly Plan[] }
  | { readonly kind: "either"; readonly plans: readonly Plan[] };

const decoder = new TextDecoder();
const ADDRESS = /^[0-9a-f.:[\]\s]*$/;
const HIGHEST = new Uint8Array(9).fill(0xff);
const MAX_URI = 2000;

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
  if (filter.host.includes("*")) plans.push(termsThat("host", hostPattern(filter.host)));
  else if (filter.host !== "") plans.push({ kind: "term", column: "host", term: textTerm(filter.host) });
  if (filter.hasError) plans.push(numbers("status", 400n, 0xffff_ffffn));
  if (filter.hasFirewallPolicy && filter.firewallPolicyId === 0n) {
    plans.push({ kind: "range", column: "firewallPolicyId", from: new Uint8Array(0), to: HIGHEST });
  }
  if (filter.keyword !== undefined) plans.push(conditionPlan(filter.keyword));
  return plans.length === 1 ? plans[0]! : { kind: "both", plans };
}

function numbers(column: Column, from: bigint, to: bigint): Plan {
  return { kind: "range", column, from: numberTerm(from), to: numberTerm(to) };
}

function addresses({ from, to }: { from: string; to: string }): Plan {
  return { kind: "range", column: "ip", from: ipTerm(from), to: ipTerm(to) };
}

function termsThat(column: Column, pattern: RegExp): Plan {
  return { kind: "terms", column, matches: (term) => pattern.test(lowerAscii(decoder.decode(term))) };
}

function containing(column: Column, text: string): Plan {
  if (text === "") return { kind: "every" };
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
      return { kind: "both", plans: [...terms, uriPlan(uri, uri.length < MAX_URI)] };
    }
    case "anywhere":
      return anywhere(condition.text);
    case "either":
      return { kind: "either", plans: condition.conditions.map(conditionPlan) };
  }
}

function anywhere(text: string): Plan {
  if (text === "") return { kind: "every" };
  const lowered = lowerAscii(text);
  const plans: Plan[] = [
    // most addresses cannot contain most words
    ADDRESS.test(lowered)
      ? { kind: "terms", column: "ip", matches: (term) => lowerAscii(ipText(term)).includes(lowered) }
      : { kind: "range", column: "ip", from: new Uint8Array(0), to: new Uint8Array([0]) },
    containing("host", text),
    containing("userAgent", text),
    { kind: "term", column: "tags", term: textTerm(text) },
    { kind: "term", column: "requestMethod", term: textTerm(text.toUpperCase()) },
    uriPlan(text, false),
  ];
  return { kind: "either", plans };
}

function uriPlan(text: string, isWhole: boolean): Plan {
  return { kind: "uri", text: textTerm(lowerAscii(text)), isWhole };
}

/** Whether a plan has to read URIs. */
export function readsUris(plan: Plan): boolean {
  if (plan.kind === "both" || plan.kind === "either") return plan.plans.some(readsUris);
  return plan.kind === "uri";
}
