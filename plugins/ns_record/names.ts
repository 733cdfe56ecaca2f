import { asciiHostName, invalid } from "edgehelm";

const MAX_LENGTH = 253;
/** Names of records, unlike those of hosts, may have underscores: _sip._tcp. */
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
const WILDCARD = "*";

/** The domain itself. */
export const APEX = "@";

/**
 * The one spelling of a record's name under its zone: lower case ASCII, `@` for the zone itself.
 *
 * @param value relative to the zone, or whole with a dot at the end
 */
export function recordName(field: string, value: string, zone: string): string {
  const given = value.trim().toLowerCase().replaceAll("\u3002", ".");
  const name = given.endsWith(".") ? relativeName(field, given.slice(0, -1), zone) : given;
  if (name === "" || name === APEX) return APEX;
  const labels = name.split(".").map((label) => asciiLabel(label));
  const ascii = labels.join(".");
  for (const [index, label] of labels.entries()) {
    if (LABEL.test(label) || (label === WILDCARD && index === 0)) continue;
    const allowed = "1 to 63 letters, digits, _ and inner hyphens, or * as the first";
    throw invalid(field, `"${value.slice(0, 80)}" has the label "${label.slice(0, 64)}": allowed are ${allowed}`);
  }
  if (`${ascii}.${zone}`.length > MAX_LENGTH) {
    throw invalid(field, `must have at most ${MAX_LENGTH - zone.length - 1} characters under ${zone}`);
  }
  return ascii;
}

function relativeName(field: string, whole: string, zone: string): string {
  if (whole === zone) return APEX;
  if (whole.endsWith(`.${zone}`)) return whole.slice(0, -zone.length - 1);
  throw invalid(field, `"${whole.slice(0, 80)}." is not under ${zone}`);
}

function asciiLabel(label: string): string {
  // deno-lint-ignore no-control-regex
  return /^[\x00-\x7f]*$/.test(label) ? label : asciiHostName(label) ?? label;
}

/** Checks the name of a host that a value leads to; underscores are allowed, as in DKIM. */
export function targetName(field: string, value: string, { orRoot = false } = {}): string {
  const given = value.trim().toLowerCase();
  if (given === "." && orRoot) return given;
  const name = given.replace(/\.$/, "").split(".").map(asciiLabel).join(".");
  const isName = name.length <= MAX_LENGTH && name.split(".").every((label) => LABEL.test(label)) &&
    !/(^|\.)\d+$/.test(name);
  if (!isName) throw invalid(field, `must be a host name such as www.example.com, got "${value.slice(0, 80)}"`);
  return name;
}
