import { invalid } from "edgehelm";

export const STATUSES = ["none", "verified", "rejected", "forbidden"] as const;
export type Status = (typeof STATUSES)[number];

const MAX_NAME_LENGTH = 253;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** Labels below the registrable name, such as _tcp in _tcp.example.com, may contain underscores. */
const SUBDOMAIN_LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
const REGISTRABLE_LABELS = 2;

/**
 * Checks the name of a domain and returns it in lower-case ASCII, without a trailing dot.
 *
 * @throws an `invalid` error that names the field and the value
 */
export function domainName(field: string, value: string): string {
  const name = asciiName(value.trim().toLowerCase().replace(/[.\u3002]$/, ""));
  const error = name === undefined ? "is not a domain name" : nameError(name);
  if (error !== undefined) throw invalid(field, `"${value.slice(0, 80)}" ${error}`);
  return name!;
}

function asciiName(name: string): string | undefined {
  // A URL would interpret these characters as delimiters of a user, a port or a path, or decode them.
  if (/[\s/\\@:?#%[\]]/.test(name)) return undefined;
  // deno-lint-ignore no-control-regex
  if (/^[\x00-\x7f]*$/.test(name)) return name;
  return URL.parse(`http://${name}`)?.hostname;
}

function nameError(name: string): string | undefined {
  if (name.length > MAX_NAME_LENGTH) return `must have at most ${MAX_NAME_LENGTH} characters, has ${name.length}`;
  const labels = name.split(".");
  if (labels.length < REGISTRABLE_LABELS) return "must have at least two labels, such as example.com";
  for (const [index, label] of labels.entries()) {
    const isSubdomain = index < labels.length - REGISTRABLE_LABELS;
    if ((isSubdomain ? SUBDOMAIN_LABEL : LABEL).test(label)) continue;
    return `has the label "${label.slice(0, 64)}": labels must be 1 to 63 letters, digits and inner hyphens`;
  }
  return /^\d+$/.test(labels.at(-1)!) ? "must not end in a number" : undefined;
}

/** Checks a list of names, in which each name must be unique. */
export function domainNames(field: string, values: readonly string[], max: number): string[] {
  if (values.length > max) throw invalid(field, `must have at most ${max} items, got ${values.length}`);
  const seen = new Set<string>();
  for (const [index, value] of values.entries()) {
    const name = domainName(`${field}[${index}]`, value);
    if (seen.has(name)) throw invalid(`${field}[${index}]`, `"${name}" is listed twice`);
    seen.add(name);
  }
  return [...seen];
}
