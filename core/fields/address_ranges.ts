import { invalid } from "../base/errors.ts";
import { addressField, addressVersion } from "./network_fields.ts";

const BITS = { 4: 32, 6: 128 } as const;

/** A range of IP addresses with a common prefix. */
export interface AddressRange {
  readonly version: 4 | 6;
  readonly first: bigint;
  /** The number of bits after the prefix. */
  readonly hostBits: bigint;
}

/**
 * Checks a range of IP addresses in CIDR notation; a single address is a range too.
 *
 * @throws RpcError invalid
 *
 * @example
 * ```ts
 * import { addressRangeField, isInRange } from "edgehelm/fields";
 *
 * const range = addressRangeField("allowedRanges", "10.0.0.0/8");
 * isInRange(range, "10.1.2.3"); // true
 * ```
 */
export function addressRangeField(field: string, value: string): AddressRange {
  const [address = "", bits, ...rest] = value.trim().split("/");
  const version = addressVersion(address);
  if (version !== undefined && rest.length === 0) {
    const prefixBits = bits === undefined ? BITS[version] : /^\d{1,3}$/.test(bits) ? Number(bits) : Infinity;
    if (prefixBits <= BITS[version]) {
      const hostBits = BigInt(BITS[version] - prefixBits);
      const first = addressNumber(address);
      if (first >> hostBits << hostBits === first) return { version, first, hostBits };
    }
  }
  throw invalid(field, `must be a range of addresses such as 10.0.0.0/8, got "${value.slice(0, 60)}"`);
}

/**
 * Returns true if the range contains the address.
 *
 * @param address as `addressField` accepts it
 *
 * @example
 * ```ts
 * import { addressRangeField, isInRange } from "edgehelm/fields";
 *
 * isInRange(addressRangeField("range", "2001:db8::/32"), "2001:db8::1"); // true
 * ```
 */
export function isInRange({ version, first, hostBits }: AddressRange, address: string): boolean {
  return addressVersion(address) === version && addressNumber(address) >> hostBits === first >> hostBits;
}

/**
 * Returns the number that the bits of an address form.
 *
 * @param address as `addressField` accepts it
 *
 * @example
 * ```ts
 * import { addressNumber } from "edgehelm/fields";
 *
 * addressNumber("192.0.2.1"); // 3221225985n
 * ```
 */
export function addressNumber(address: string): bigint {
  const canonical = addressField("address", address);
  if (!canonical.includes(":")) return numberOf(canonical.split(".").map(Number), 8n);
  const [head = "", tail = ""] = canonical.split("::");
  const [before, after] = [groupsOf(head), groupsOf(tail)];
  const zeros = new Array<number>(8 - before.length - after.length).fill(0);
  return numberOf([...before, ...zeros, ...after], 16n);
}

function groupsOf(text: string): number[] {
  return text === "" ? [] : text.split(":").map((group) => parseInt(group, 16));
}

function numberOf(parts: readonly number[], bits: bigint): bigint {
  return parts.reduce((number, part) => number << bits | BigInt(part), 0n);
}
