import { choiceField, invalid, listField } from "edgehelm";

export const CATEGORIES = ["http", "tcp", "udp"] as const;
export type Category = (typeof CATEGORIES)[number];
export const PERIOD_UNITS = ["minute", "hour", "day", "week", "month"] as const;

const MAX_KEYS = 20;
const KEYS = [
  "remoteAddr",
  "rawRemoteAddr",
  "remoteUser",
  "requestURI",
  "requestPath",
  "requestURL",
  "requestMethod",
  "scheme",
  "requestPathExtension",
  "requestPathLowerExtension",
  "host",
  "proto",
  "referer",
  "referer.host",
  "status",
  "response.contentType",
];
const NAMED_KEY = /^\$\{(?:arg|header|cookie)\.[^\s{}]{1,100}\}$/;
const VALUES = ["${countConnection}", "${countTrafficOut}", "${countTrafficIn}"] as const;

/** Checks the keys of a metric, and returns them sorted. */
export function keysField(field: string, values: readonly string[]): string[] {
  if (values.length === 0) throw invalid(field, "must not be empty");
  return listField(field, values, keyField, { max: MAX_KEYS, unique: true }).sort();
}

function keyField(field: string, value: string): string {
  const key = value.trim();
  if (KEYS.some((name) => key === `\${${name}}`) || NAMED_KEY.test(key)) return key;
  const examples = `\${remoteAddr}, \${arg.NAME}, \${header.NAME}, \${cookie.NAME} and others`;
  throw invalid(field, `must be one of the variables ${examples}, got "${key.slice(0, 60)}"`);
}

/** Checks the value that a metric counts. */
export function valueField(field: string, value: string, category: Category): string {
  return choiceField(field, value, category === "http" ? ["${countRequest}", ...VALUES] : VALUES);
}
