import { invalid, kernelErrors } from "../base/errors.ts";
import type { Limits } from "../base/limits.ts";
import type { Operation } from "./operation.ts";

/** The limits that every request keeps, whatever its operation allows. */
export type RequestRules = Pick<Limits, "listItems" | "textLength">;

/** A value that breaks a rule; its path grows while it passes up. */
interface Fault {
  path: string;
  readonly text: string;
}

/** @throws RpcError invalid, naming the path of the first list or text that is too long */
export function requireWithinRules(request: unknown, rules: RequestRules): void {
  const fault = faultIn(request, rules);
  if (fault === undefined) return;
  throw fault.path === "" ? kernelErrors.malformed(fault.text) : invalid(fault.path.slice(0, 200), fault.text);
}

/** The same for every message of a client's stream. */
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

function faultIn(value: unknown, rules: RequestRules): Fault | undefined {
  if (typeof value === "string") {
    if (value.length <= rules.textLength) return undefined;
    return { path: "", text: `must have at most ${rules.textLength} characters, got ${value.length}` };
  }
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return undefined;
  return Array.isArray(value) ? faultInList(value, rules) : faultInFields(value as Record<string, unknown>, rules);
}

function faultInList(list: readonly unknown[], rules: RequestRules): Fault | undefined {
  if (list.length > rules.listItems) return tooMany(list.length, rules);
  for (let index = 0; index < list.length; index++) {
    const fault = faultIn(list[index], rules);
    if (fault !== undefined) return under(`[${index}]`, fault);
  }
  return undefined;
}

/** A message, which has the fields that it has, or a map. */
function faultInFields(fields: Readonly<Record<string, unknown>>, rules: RequestRules): Fault | undefined {
  let left = "$typeName" in fields ? Infinity : rules.listItems;
  for (const name in fields) {
    if (left-- <= 0) return tooMany(Object.keys(fields).length, rules);
    const fault = faultIn(fields[name], rules);
    if (fault !== undefined) return under(name, fault);
  }
  return undefined;
}

function tooMany(count: number, { listItems }: RequestRules): Fault {
  return { path: "", text: `must have at most ${listItems} items, got ${count}` };
}

function under(holder: string, fault: Fault): Fault {
  fault.path = holder + (fault.path === "" || fault.path.startsWith("[") ? "" : ".") + fault.path;
  return fault;
}
