import { invalid } from "edgehelm";

const MAPPED = 0xffffn << 32n;

/** An address as 32 hexadecimal digits, which order as addresses do; IPv4 among IPv6. Undefined for what is none. */
export function ipKey(text: string): string | undefined {
  const address = parseIp(text);
  return address === undefined ? undefined : keyOf(address);
}

/** One address, a range (`a,b` or `a-b`) or a block (`a/24`) as two keys. */
export function ipRange(field: string, text: string): { from: string; to: string } {
  const [, first = "", sign = "", second = ""] = /^([^,/-]+)(?:([,/-])(.+))?$/.exec(text.trim()) ?? [];
  const from = parseIp(first);
  const other = sign === "/" ? freeBits(first, second) : sign === "" ? from : parseIp(second);
  if (from === undefined || other === undefined) {
    const forms = "an IP address, a range such as a-b or a block such as a/24";
    throw invalid(field, `must be ${forms}, got "${text.slice(0, 90)}"`);
  }
  if (sign === "/") return { from: keyOf(from & ~other), to: keyOf(from | other) };
  return from <= other ? { from: keyOf(from), to: keyOf(other) } : { from: keyOf(other), to: keyOf(from) };
}

function keyOf(address: bigint): string {
  return address.toString(16).padStart(32, "0");
}

function parseIp(text: string): bigint | undefined {
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

/** The bits that differ within a block. */
function freeBits(address: string, prefix: string): bigint | undefined {
  if (!/^\d{1,3}$/.test(prefix)) return undefined;
  const width = address.includes(":") ? 128n : 32n;
  const fixed = BigInt(prefix);
  return fixed > width ? undefined : (1n << (width - fixed)) - 1n;
}
