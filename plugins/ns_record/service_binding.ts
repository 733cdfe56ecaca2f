import { invalid, listField, numberField } from "edgehelm";
import { addressField, portField } from "edgehelm/fields";
import { targetName } from "./names.ts";

const KEY = /^(mandatory|alpn|no-default-alpn|port|ipv4hint|ech|ipv6hint|key(0|[1-9]\d{0,4}))$/;

/**
 * Checks the value of an SVCB or HTTPS record (RFC 9460), such as `1 . alpn=h3,h2 ipv4hint=192.0.2.1`. Priority 0
 * denotes an alias, which has a target but no parameters.
 *
 * @returns The normalized value with single spaces between its parts.
 */
export function serviceBinding(field: string, value: string, zone: string): string {
  const [priority = "", target = "", ...parameters] = value.trim().split(/\s+/);
  if (!/^\d{1,5}$/.test(priority)) throw invalid(field, `must begin with a priority, got "${priority.slice(0, 60)}"`);
  numberField(field, Number(priority), { min: 0, max: 65_535 });
  const name = targetName(field, target, zone, { allowRoot: true });
  if (Number(priority) === 0 && parameters.length > 0) {
    throw invalid(field, "an alias (priority 0) must not have parameters");
  }
  return [Number(priority), name, ...checkParameters(field, parameters)].join(" ");
}

function checkParameters(field: string, parameters: readonly string[]): string[] {
  const seen = new Map<string, string>();
  for (const parameter of parameters) {
    const [key = "", ...rest] = parameter.split("=");
    const text = rest.join("=").replace(/^"(.*)"$/, "$1");
    if (!KEY.test(key)) throw invalid(field, `the parameter "${key.slice(0, 60)}" does not exist`);
    if (seen.has(key)) throw invalid(field, `the parameter ${key} is listed twice`);
    checkParameter(`${field}: ${key}`, key, text, rest.length > 0);
    seen.set(key, text);
  }
  for (const key of seen.get("mandatory")?.split(",") ?? []) {
    if (!seen.has(key) || key === "mandatory") throw invalid(field, `mandatory lists "${key}", which is missing`);
  }
  if (seen.has("no-default-alpn") && !seen.has("alpn")) throw invalid(field, "no-default-alpn requires alpn");
  return [...seen].map(([key, text]) => key === "no-default-alpn" ? key : `${key}=${text}`);
}

function checkParameter(field: string, key: string, value: string, hasValue: boolean): void {
  if (key === "no-default-alpn") {
    if (hasValue) throw invalid(field, "must not have a value");
    return;
  }
  if (value === "" && !key.startsWith("key")) throw invalid(field, "must have a value");
  const items = value.split(",");
  switch (key) {
    case "port":
      portField(field, /^\d{1,5}$/.test(value) ? Number(value) : NaN);
      return;
    case "ipv4hint":
      listField(field, items, (at, item) => addressField(at, item, 4));
      return;
    case "ipv6hint":
      listField(field, items, (at, item) => addressField(at, item, 6));
      return;
    case "alpn":
      if (items.some((item) => item === "")) throw invalid(field, "must be protocols such as h3,h2");
      return;
    case "ech":
      if (!/^[A-Za-z0-9+/]+={0,2}$/.test(value)) throw invalid(field, "must be base64");
  }
}
