const [DOT, COLON, ZERO, NINE] = [46, 58, 48, 57];
const GROUPS = 8;
const groups = new Uint16Array(GROUPS);

/** Parses a dotted IPv4 address without leading zeros into a number; returns -1 for anything else. */
export function ipv4(bytes: Uint8Array, from: number, to: number): number {
  if (to - from < 7 || to - from > 15) return -1;
  let [address, part, digits, dots] = [0, 0, 0, 0];
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    if (byte >= ZERO && byte <= NINE) {
      if (digits > 0 && part === 0) return -1;
      part = part * 10 + byte - ZERO;
      digits++;
    } else if (byte === DOT && digits > 0 && digits <= 3 && part <= 255 && ++dots <= 3) {
      address = address * 256 + part;
      part = digits = 0;
    } else return -1;
  }
  return dots === 3 && digits > 0 && digits <= 3 && part <= 255 ? address * 256 + part : -1;
}

/**
 * Parses an IPv6 address (RFC 4291, section 2.2, without the form that ends in dotted IPv4) and writes its 16 bytes to
 * `target` at `offset`. Returns false for any other text and then writes nothing.
 */
export function writeIpv6(bytes: Uint8Array, from: number, to: number, target: Uint8Array, offset: number): boolean {
  if (to - from < 2 || to - from > 39) return false;
  let [at, count, gap] = [from, 0, -1];
  if (bytes[at] === COLON) {
    if (bytes[at + 1] !== COLON) return false;
    at += 2;
    gap = 0;
  }
  while (at < to) {
    if (count === GROUPS) return false;
    if (bytes[at] === COLON) {
      if (gap >= 0) return false;
      gap = count;
      at++;
      continue;
    }
    const start = at;
    let group = 0;
    for (let digit = 0; at < to && at < start + 4 && (digit = hexadecimal(bytes[at]!)) >= 0; at++) {
      group = group * 16 + digit;
    }
    if (at === start) return false;
    groups[count++] = group;
    if (at < to && (bytes[at++] !== COLON || at === to)) return false;
  }
  if (gap < 0 ? count < GROUPS : count === GROUPS) return false;
  for (let index = 0, next = 0; index < GROUPS; index++) {
    const isZero = gap >= 0 && index >= gap && index < gap + GROUPS - count;
    const group = isZero ? 0 : groups[next++]!;
    target[offset + index * 2] = group >>> 8;
    target[offset + index * 2 + 1] = group;
  }
  return true;
}

/** Returns the value of a hexadecimal digit, or -1. */
function hexadecimal(byte: number): number {
  if (byte >= ZERO && byte <= NINE) return byte - ZERO;
  const letter = byte | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}
