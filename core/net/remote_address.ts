/**
 * Returns the key under which an address is limited: an IPv4 address, or the /64 prefix of an IPv6 address, since one
 * machine usually controls the whole prefix. Any other text is its own key.
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { addressGroup } from "edgehelm/auth";
 *
 * equal(addressGroup("192.0.2.7"), "192.0.2.7");
 * equal(addressGroup("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::/64");
 * ```
 */
export function addressGroup(address: string): string {
  return addressPrefix(address, 4);
}

/** Returns the /48 prefix of an IPv6 address, since one customer often controls all of it, or the group of any other. */
export function addressSite(address: string): string {
  return addressPrefix(address, 3);
}

function addressPrefix(address: string, length: number): string {
  const bare = address.toLowerCase().split("%", 1)[0]!;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(bare);
  if (mapped !== null) return mapped[1]!;
  if (!bare.includes(":") || !/^[0-9a-f:.]{2,45}$/.test(bare)) return bare.slice(0, 64);
  const [head = "", tail] = bare.split("::", 2);
  const groups = head === "" ? [] : head.split(":");
  if (tail !== undefined) {
    const after = tail === "" ? [] : tail.split(":");
    while (groups.length + after.length < 8) groups.push("0");
    groups.push(...after);
  }
  return `${groups.slice(0, length).map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/${length * 16}`;
}

/** Returns the address of the caller as the nearest proxy saw it: the last entry of X-Forwarded-For, without a port. */
export function forwardedAddress(header: string | undefined): string | undefined {
  const last = header?.slice(header.lastIndexOf(",") + 1).trim();
  if (last === undefined || last === "") return undefined;
  const bracketed = /^\[([0-9a-fA-F:.%a-z]+)\](?::\d+)?$/.exec(last);
  if (bracketed !== null) return bracketed[1];
  const address = last.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
  return /^[0-9a-zA-Z:.%_-]{1,64}$/.test(address) ? address : undefined;
}
