import { invalid } from "edgehelm";
import { keyOf, parseIp } from "../contract/ip_key.ts";

/** Parses one address, a range (`a,b` or `a-b`) or a block (`a/24`) into its first and last `ipKey`. */
export function ipRange(field: string, text: string): { from: string; to: string } {
  const [, first = "", separator = "", second = ""] = /^([^,/-]+)(?:([,/-])(.+))?$/.exec(text.trim()) ?? [];
  const from = parseIp(first);
  const other = separator === "/" ? hostBits(first, second) : separator === "" ? from : parseIp(second);
  if (from === undefined || other === undefined) {
    const forms = "an IP address, a range such as a-b or a block such as a/24";
    throw invalid(field, `must be ${forms}, got "${text.slice(0, 90)}"`);
  }
  if (separator === "/") return { from: keyOf(from & ~other), to: keyOf(from | other) };
  return from <= other ? { from: keyOf(from), to: keyOf(other) } : { from: keyOf(other), to: keyOf(from) };
}

/** Returns the mask of the bits that differ within a block. */
function hostBits(address: string, prefix: string): bigint | undefined {
  if (!/^\d{1,3}$/.test(prefix)) return undefined;
  const width = address.includes(":") ? 128n : 32n;
  const length = BigInt(prefix);
  return length > width ? undefined : (1n << (width - length)) - 1n;
}
