const MAPPED = 0xffffn << 32n;
const MAPPED_DIGITS = "00000000000000000000ffff";
const DOT = 46;
const ZERO = 48;

/** Returns an address as 32 hexadecimal digits in sort order, IPv4 as mapped IPv6; undefined if it is invalid. */
export function ipKey(text: string): string | undefined {
  const fast = ipv4Key(text);
  if (fast !== undefined) return fast;
  const address = parseIp(text);
  return address === undefined ? undefined : keyOf(address);
}

export function keyOf(address: bigint): string {
  return address.toString(16).padStart(32, "0");
}

/** Fast path for dotted IPv4, the most frequent form. */
function ipv4Key(text: string): string | undefined {
  if (text.length < 7 || text.length > 15) return undefined;
  let address = 0;
  let part = 0;
  let digits = 0;
  let dots = 0;
  for (let index = 0; index <= text.length; index++) {
    const code = index === text.length ? DOT : text.charCodeAt(index);
    if (code === DOT) {
      if (digits === 0 || digits > 3 || part > 255 || ++dots > 4) return undefined;
      address = address * 256 + part;
      part = digits = 0;
    } else if (code >= ZERO && code <= ZERO + 9) {
      part = part * 10 + code - ZERO;
      digits++;
    } else return undefined;
  }
  return dots === 4 ? MAPPED_DIGITS + address.toString(16).padStart(8, "0") : undefined;
}

export function parseIp(text: string): bigint | undefined {
  const host = text.trim().replace(/^\[|\]$/g, "");
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(host)) {
    const parts = host.split(".").map(BigInt);
    return parts.some((part) => part > 255n) ? undefined : parts.reduce((all, part) => all << 8n | part, 0n) + MAPPED;
  }
  if (!host.includes(":") || !/^[0-9a-f:.]+$/i.test(host)) return undefined;
  const canonical = URL.parse(`http://[${host}]`)?.hostname.slice(1, -1);
  if (canonical === undefined) return undefined;
  const [left = "", right] = canonical.split("::");
  const groups = (part: string | undefined) => part ? part.split(":") : [];
  const [head, tail] = [groups(left), groups(right)];
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => "0");
  return [...head, ...zeros, ...tail].reduce((all, group) => all << 16n | BigInt(`0x${group}`), 0n);
}
