import { invalid } from "edgehelm";
import { keyOf, parseIp } from "./ip_key.ts";

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

/** The bits that differ within a block. */
function freeBits(address: string, prefix: string): bigint | undefined {
  if (!/^\d{1,3}$/.test(prefix)) return undefined;
  const width = address.includes(":") ? 128n : 32n;
  const fixed = BigInt(prefix);
  return fixed > width ? undefined : (1n << (width - fixed)) - 1n;
}
