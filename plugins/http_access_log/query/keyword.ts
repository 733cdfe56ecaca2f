import { invalid } from "edgehelm";
import { ipRange } from "./ip_range.ts";
import { ipKey } from "../contract/ip_key.ts";
import type { Condition, TextColumn } from "../contract/log_store.ts";

const COLUMNS: Readonly<Record<string, TextColumn>> = {
  requestpath: "requestPath",
  proto: "proto",
  scheme: "scheme",
  method: "requestMethod",
  requestmethod: "requestMethod",
  referer: "referer",
};
const STATUS = /^(\d{3})(?:-(\d{3}))?$/;
const REQUEST_ID = /^\d{13}[0-9a-z]*$/i;

/** Parses a keyword into a condition; undefined if it is empty. */
export function parseKeyword(field: string, keyword: string): Condition | undefined {
  const text = keyword.trim();
  if (text === "") return undefined;
  const key = ipKey(text);
  if (key !== undefined) return { kind: "ip", from: key, to: key };
  const [, word = "", value = ""] = /^(\w+):\s*(.*)$/s.exec(text) ?? [];
  const name = word.toLowerCase();
  if (name === "ip") return { kind: "ip", ...ipRange(field, value) };
  if (name === "status") {
    const status = parseStatus(value);
    if (status === undefined) {
      throw invalid(field, `must be a status such as status:200 or status:200-400, got "${text.slice(0, 60)}"`);
    }
    return status;
  }
  const column = COLUMNS[name];
  if (column !== undefined) return { kind: "contains", column, text: value.trim() };
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  if (url !== null) {
    const pathAt = text.indexOf("/", text.indexOf("//") + 2);
    const uri = pathAt < 0 ? "/" : text.slice(pathAt);
    return { kind: "url", scheme: url.protocol.slice(0, -1), host: url.hostname, uri };
  }
  return anywhere(text);
}

function anywhere(text: string): Condition {
  const conditions: Condition[] = [{ kind: "anywhere", text }];
  const status = parseStatus(text);
  if (status !== undefined) conditions.push(status);
  if (REQUEST_ID.test(text)) conditions.push({ kind: "requestId", requestId: text });
  return conditions.length === 1 ? conditions[0]! : { kind: "anyOf", conditions };
}

function parseStatus(text: string): Condition | undefined {
  const [, from, to = from] = STATUS.exec(text.trim()) ?? [];
  return from === undefined ? undefined : { kind: "status", from: BigInt(from), to: BigInt(to!) };
}
