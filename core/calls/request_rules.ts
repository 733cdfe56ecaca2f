import { invalid, kernelErrors } from "../base/errors.ts";
import type { Limits } from "../base/limits.ts";
import type { Operation } from "./operation.ts";

/** The limits for the contents of every request. */
export type RequestRules = Pick<Limits, "listItems" | "textLength">;

/** A value that exceeds a limit. Its path is completed while it is returned up the tree. */
interface Violation {
  path: string;
  readonly text: string;
}

/** @throws RpcError invalid, naming the path of the first list or string that is too long */
export function requireWithinRules(request: unknown, rules: RequestRules): void {
  const violation = findViolation(request, rules);
  if (violation === undefined) return;
  throw violation.path === ""
    ? kernelErrors.malformed(violation.text)
    : invalid(violation.path.slice(0, 200), violation.text);
}

/** Checks every message of a stream. */
export function requireWithinRulesEach({ method }: Operation, input: unknown, rules: RequestRules): unknown {
  if (method.methodKind === "server_streaming") {
    requireWithinRules(input, rules);
    return input;
  }
  return eachWithinRules(input as AsyncIterable<unknown>, rules);
}

async function* eachWithinRules(requests: AsyncIterable<unknown>, rules: RequestRules): AsyncGenerator<unknown> {
  for await (const request of requests) {
    requireWithinRules(request, rules);
    yield request;
  }
}

function findViolation(value: unknown, rules: RequestRules): Violation | undefined {
  if (typeof value === "string") {
    if (value.length <= rules.textLength) return undefined;
    return { path: "", text: `must have at most ${rules.textLength} characters, got ${value.length}` };
  }
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return undefined;
  return Array.isArray(value)
    ? violationInList(value, rules)
    : violationInFields(value as Record<string, unknown>, rules);
}

function violationInList(list: readonly unknown[], rules: RequestRules): Violation | undefined {
  if (list.length > rules.listItems) return tooMany(list.length, rules);
  for (let index = 0; index < list.length; index++) {
    const violation = findViolation(list[index], rules);
    if (violation !== undefined) return prefixed(`[${index}]`, violation);
  }
  return undefined;
}

/** Checks a message or a map. The number of entries is limited for maps only. */
function violationInFields(fields: Readonly<Record<string, unknown>>, rules: RequestRules): Violation | undefined {
  let remaining = "$typeName" in fields ? Infinity : rules.listItems;
  for (const name in fields) {
    if (remaining-- <= 0) return tooMany(Object.keys(fields).length, rules);
    const violation = findViolation(fields[name], rules);
    if (violation !== undefined) return prefixed(name, violation);
  }
  return undefined;
}

function tooMany(count: number, { listItems }: RequestRules): Violation {
  return { path: "", text: `must have at most ${listItems} items, got ${count}` };
}

function prefixed(holder: string, violation: Violation): Violation {
  violation.path = holder + (violation.path === "" || violation.path.startsWith("[") ? "" : ".") + violation.path;
  return violation;
}
