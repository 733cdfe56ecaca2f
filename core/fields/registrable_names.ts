import { getDomain } from "tldts";

/**
 * Returns the part of a host name that its owner registered, by the Public Suffix List: everything below belongs to the
 * same owner. Names that a provider hands out to customers, such as `shop.github.io`, count as registered.
 *
 * @param name in lower-case ASCII, as `asciiHostName` returns it
 * @returns undefined if the name is a public suffix itself or has a single label
 *
 * @example
 * ```ts
 * import { registrableName } from "edgehelm/fields";
 *
 * registrableName("www.example.co.uk"); // "example.co.uk"
 * registrableName("co.uk"); // undefined
 * ```
 */
export function registrableName(name: string): string | undefined {
  return getDomain(name, { allowPrivateDomains: true, extractHostname: false, validateHostname: false }) ?? undefined;
}
