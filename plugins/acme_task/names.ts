import { invalid, listField } from "edgehelm";
import { addressVersion, hostNameField } from "edgehelm/fields";

const MAX_NAMES = 100;
const WILDCARD = "*.";

/** Checks the names of a certificate, and returns them in lower-case ASCII, without repetitions. */
export function certificateNames(field: string, values: readonly string[]): string[] {
  const names = listField(field, values, certificateName, { max: MAX_NAMES });
  if (names.length === 0) throw invalid(field, "must not be empty");
  return [...new Set(names)];
}

/** Returns a name without the label of a wildcard. */
export function baseOf(name: string): string {
  return isWildcard(name) ? name.slice(WILDCARD.length) : name;
}

export function isWildcard(name: string): boolean {
  return name.startsWith(WILDCARD);
}

/** Returns the name of the TXT record that proves a name, relative to the domain (RFC 8555, 8.4). */
export function recordName(name: string, domain: string): string {
  return name === domain ? "_acme-challenge" : `_acme-challenge.${name.slice(0, -domain.length - 1)}`;
}

function certificateName(field: string, value: string): string {
  const name = value.trim().toLowerCase();
  const base = hostNameField(field, baseOf(name));
  if (addressVersion(base) === undefined && base.includes(".")) return isWildcard(name) ? `${WILDCARD}${base}` : base;
  throw invalid(field, `must be a domain such as www.example.com or *.example.com, got "${value.slice(0, 60)}"`);
}
