import { invalid } from "edgehelm";
import { addressVersion, registrableName } from "edgehelm/fields";
import { requireBoundedExpression } from "./expressions.ts";
import { decodePunycode } from "./punycode.ts";

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
const WILDCARD = /^(\*\.|\.)?(.*)$/s;
const MAX_LENGTH = 253;

/**
 * Normalizes a server name: a host name, an IP address or a wildcard, in lower-case ASCII (UTS #46), or a regular
 * expression after a tilde.
 */
export function serverName(field: string, value: string): string {
  const name = value.trim();
  if (name.startsWith("~")) {
    requireBoundedExpression(field, name);
    return name;
  }
  const lower = name.toLowerCase().replace(/[.\u3002]$/, "");
  if (lower === "*") return lower;
  const [, wildcard = "", rest = ""] = WILDCARD.exec(lower) ?? [];
  const ascii = asciiName(rest);
  const normal = wildcard + ascii;
  if (normal.length <= MAX_LENGTH && (isHostName(ascii) || wildcard === "" && isAddress(ascii))) return normal;
  throw invalid(
    field,
    `must be a host name, an IP address or a wildcard such as *.example.com, got "${value.slice(0, 60)}"`,
  );
}

/**
 * Refuses a name that only admins may give to a site: a regular expression, an IP address, or a name or wildcard above
 * the names that can be registered, which would match the sites of others.
 *
 * @param name as `serverName` returns it
 */
export function requireClaimable(field: string, name: string): void {
  const base = baseName(name);
  if (!name.startsWith("~") && !isAddress(base) && registrableName(base) !== undefined) return;
  throw invalid(
    field,
    `must be at or below a registrable domain, such as www.example.com or *.example.com, got "${name.slice(0, 60)}": ` +
      "other names and regular expressions are for admins",
  );
}

/** Returns the name that a wildcard stands above or at: example.com for *.example.com and .example.com. */
export function baseName(name: string): string {
  return name.replace(/^\*?\.?/, "");
}

/** Returns the labels of a name in reverse order, or an expression as it is: com.example.* for *.example.com. */
export function reversedName(name: string): string {
  return name.startsWith("~") ? name : name.split(".").reverse().join(".");
}

function asciiName(name: string): string {
  if (name.length > MAX_LENGTH) return "";
  if (/^[ -~]*$/.test(name)) return name.split(".").every(isCanonical) ? name : "";
  return /[\s/\\@:?#%[\]]/.test(name) ? "" : URL.parse(`http://${name}`)?.hostname ?? "";
}

/** Returns false for a label in Punycode that is not the only form of its name. Runtimes differ in what they refuse. */
function isCanonical(label: string): boolean {
  if (!label.startsWith("xn--")) return true;
  const decoded = decodePunycode(label.slice("xn--".length));
  return decoded !== undefined && /[^ -~]/.test(decoded) &&
    URL.parse(`http://${decoded}.test`)?.hostname === `${label}.test`;
}

function isHostName(name: string): boolean {
  const labels = name.split(".");
  return labels.every((label) => LABEL.test(label)) && !/^(\d+|0x[0-9a-f]*)$/.test(labels.at(-1)!);
}

function isAddress(name: string): boolean {
  return addressVersion(name.replace(/^\[(.*)\]$/, "$1")) !== undefined;
}

/** Returns the wildcards that match a name, most specific first: .a.b.c, *.b.c, .b.c, *.c, .c and * for a.b.c. */
export function wildcardsFor(name: string): string[] {
  const labels = name.split(".");
  return [
    `.${name}`,
    ...labels.slice(1).flatMap((_, index) => {
      const parent = labels.slice(index + 1).join(".");
      return [`*.${parent}`, `.${parent}`];
    }),
    "*",
  ];
}

/** Returns true if one of the names matches `name`. Regular expressions are not evaluated: they may not terminate. */
export function coversName(names: readonly string[], name: string): boolean {
  const exactNames = new Set(names);
  return exactNames.has(name) || wildcardsFor(name).some((wildcard) => exactNames.has(wildcard));
}
