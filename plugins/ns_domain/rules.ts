import { invalid } from "edgehelm";

export const STATUSES = ["none", "verified", "rejected", "forbidden"] as const;
export type Status = (typeof STATUSES)[number];

const MAX_NAME_LENGTH = 253;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** A name below one that can be registered, such as _tcp.example.com, may start a label with an underscore. */
const LOWER_LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
const REGISTRABLE_LABELS = 2;

/**
 * The one spelling of a domain's name: lower case, no trailing dot, ASCII.
 *
 * @throws invalid naming the field and the value
 */
export function domainName(field: string, value: string): string {
  const name = asciiName(value.trim().toLowerCase().replace(/[.\u3002]$/, ""));
  const fault = name === undefined ? "is not a domain name" : nameFault(name);
  if (fault !== undefined) throw invalid(field, `"${value.slice(0, 80)}" ${fault}`);
  return name!;
}

function asciiName(name: string): string | undefined {
  // what a URL would take for a port, a path or a user, or decode, is no part of a name
  if (/[\s/\\@:?#%[\]]/.test(name)) return undefined;
  // deno-lint-ignore no-control-regex
  if (/^[\x00-\x7f]*$/.test(name)) return name;
  return URL.parse(`http://${name}`)?.hostname;
}

function nameFault(name: string): string | undefined {
  if (name.length > MAX_NAME_LENGTH) return `must have at most ${MAX_NAME_LENGTH} characters, has ${name.length}`;
  const labels = name.split(".");
  if (labels.length < REGISTRABLE_LABELS) return "must have at least two labels, such as example.com";
  for (const [index, label] of labels.entries()) {
    const isLower = index < labels.length - REGISTRABLE_LABELS;
    if ((isLower ? LOWER_LABEL : LABEL).test(label)) continue;
    return `has the label "${label.slice(0, 64)}": allowed are 1 to 63 letters, digits and inner hyphens`;
  }
  return /^\d+$/.test(labels.at(-1)!) ? "must not end in a number" : undefined;
}

/** The names of a list; each only once. */
export function domainNames(field: string, values: readonly string[], max: number): string[] {
  if (values.length > max) throw invalid(field, `must have at most ${max} items, got ${values.length}`);
  const seen = new Set<string>();
  for (const [index, value] of values.entries()) {
    const name = domainName(`${field}[${index}]`, value);
    if (seen.has(name)) throw invalid(`${field}[${index}]`, `"${name}" is in the list twice`);
    seen.add(name);
  }
  return [...seen];
}
