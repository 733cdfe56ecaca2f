import { addressNumber, type AddressRange, addressRangeField, isInRange } from "./address_ranges.ts";
import { addressVersion } from "./network_fields.ts";

/** The ranges that do not belong to the public internet (IANA special-purpose registries), by what they are. */
const INTERNAL: Readonly<Record<string, readonly string[]>> = {
  "an unspecified address": ["0.0.0.0/8", "::/128"],
  "a loopback address": ["127.0.0.0/8", "::1/128"],
  "a private address": ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10", "64:ff9b:1::/48"],
  "a shared address": ["100.64.0.0/10"],
  "a link-local address": ["169.254.0.0/16", "fe80::/10"],
  "the metadata service of a cloud": ["168.63.129.16"],
  "a multicast address": ["224.0.0.0/4", "ff00::/8"],
  "a reserved address": ["192.0.0.0/24", "198.18.0.0/15", "240.0.0.0/4", "100::/64", "2001::/32"],
};

const RANGES: readonly (readonly [kind: string, range: AddressRange])[] = Object.entries(INTERNAL).flatMap(
  ([kind, ranges]) => ranges.map((range) => [kind, addressRangeField(kind, range)] as const),
);

/** The ranges of IPv6 that contain IPv4 addresses, and the number of bits after each of these. */
const EMBEDDINGS: readonly (readonly [range: AddressRange, shift: bigint])[] = ([
  ["::/96", 0n],
  ["::ffff:0:0/96", 0n],
  ["::ffff:0:0:0/96", 0n],
  ["64:ff9b::/96", 0n],
  ["2002::/16", 80n],
] as const).map(([range, shift]) => [addressRangeField("range", range), shift]);

/**
 * Returns what kind of internal address this is, for error texts, or undefined for an address of the public internet.
 * IPv6 addresses that stand for an internal IPv4 address (mapped, compatible, NAT64, 6to4) are internal as well.
 *
 * @param address as `addressField` accepts it
 *
 * @example
 * ```ts
 * import { internalAddress } from "edgehelm/fields";
 *
 * internalAddress("::ffff:127.0.0.1"); // "a loopback address"
 * internalAddress("192.0.2.1"); // undefined
 * ```
 */
export function internalAddress(address: string): string | undefined {
  const [kind] = RANGES.find(([, range]) => isInRange(range, address)) ?? [];
  return kind ?? (addressVersion(address) === 6 ? internalAddress4(embeddedIn(address)) : undefined);
}

/**
 * Returns the IPv4 address that an IPv6 address stands for (mapped, compatible, NAT64, 6to4), or undefined.
 *
 * @param address as `addressField` accepts it
 *
 * @example
 * ```ts
 * import { embeddedIn } from "edgehelm/fields";
 *
 * embeddedIn("64:ff9b::192.0.2.1"); // "192.0.2.1"
 * ```
 */
export function embeddedIn(address: string): string | undefined {
  const [, shift] = EMBEDDINGS.find(([range]) => isInRange(range, address)) ?? [];
  if (shift === undefined) return undefined;
  const number = addressNumber(address) >> shift;
  return [24n, 16n, 8n, 0n].map((bits) => number >> bits & 255n).join(".");
}

function internalAddress4(address: string | undefined): string | undefined {
  return address === undefined ? undefined : internalAddress(address);
}
