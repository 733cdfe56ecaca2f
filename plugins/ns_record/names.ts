import { invalid } from "edgehelm";
import { asciiHostName } from "edgehelm/fields";

const MAX_LENGTH = 253;
/** Unlike host names, record names may contain underscores: _sip._tcp. */
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
const WILDCARD = "*";

/** The name of the domain itself. */
export const APEX = "@";

/**
 * Normalizes the name of a record: relative to its zone, in lower-case ASCII, `@` for the zone itself.
 *
 * @param value A name relative to the zone, or a fully qualified name with a trailing dot.
 */
export function recordName(field: string, value: string, zone: string): string {
  const normalized = value.trim().toLowerCase().replaceAll("\u3002", ".");
  const name = normalized.endsWith(".") ? relativeName(field, normalized.slice(0, -1), zone) : normalized;
  if (name === "" || name === APEX) return APEX;
  const labels = name.split(".").map((label) => asciiLabel(label));
  const ascii = labels.join(".");
  for (const [index, label] of labels.entries()) {
    if (LABEL.test(label) || (label === WILDCARD && index === 0)) continue;
    const expected = "1 to 63 letters, digits, underscores and inner hyphens, or * as the first label";
    throw invalid(field, `"${value.slice(0, 80)}" has the invalid label "${label.slice(0, 64)}", must be ${expected}`);
  }
  if (`${ascii}.${zone}`.length > MAX_LENGTH) {
    throw invalid(field, `must have at most ${MAX_LENGTH - zone.length - 1} characters under ${zone}`);
  }
  return ascii;
}

function relativeName(field: string, qualified: string, zone: string): string {
  if (qualified === zone) return APEX;
  if (qualified.endsWith(`.${zone}`)) return qualified.slice(0, -zone.length - 1);
  throw invalid(field, `"${qualified.slice(0, 80)}." is not under ${zone}`);
}

function asciiLabel(label: string): string {
  // deno-lint-ignore no-control-regex
  return /^[\x00-\x7f]*$/.test(label) ? label : asciiHostName(label) ?? label;
}

/** Returns a host name in lower-case ASCII. A final dot is kept. */
export function asciiHost(value: string): string {
  return value.toLowerCase().split(".").map(asciiLabel).join(".");
}

/**
 * Checks the host name in a record's value; underscores are allowed, as in DKIM.
 *
 * @returns The name as it was written, so that clients find what they sent.
 */
export function targetName(field: string, value: string, zone: string, { allowRoot = false } = {}): string {
  const written = value.trim();
  if (written === "." && allowRoot) return written;
  const name = asciiHost(written).replace(/\.$/, "");
  const isName = name.split(".").every((label) => LABEL.test(label)) && !/(^|\.)\d+$/.test(name);
  const length = /[.\u3002]/.test(written) ? name.length : `${name}.${zone}`.length;
  if (isName && length <= MAX_LENGTH) return written;
  throw invalid(field, `must be a host name such as www.example.com, got "${value.slice(0, 80)}"`);
}
