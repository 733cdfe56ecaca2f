const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const INVALID = 64;

const VALUES = new Uint8Array(128).fill(INVALID);
for (let value = 0; value < 64; value++) VALUES[ALPHABET.charCodeAt(value)] = value;
VALUES["-".charCodeAt(0)] = 62;
VALUES["_".charCodeAt(0)] = 63;

const PAIRS: readonly string[] = Array.from(
  { length: 4096 },
  (_, bits) => ALPHABET.charAt(bits >> 6) + ALPHABET.charAt(bits & 63),
);

/** The method of ECMAScript 2026, which not every runtime has yet. */
const { toBase64 } = Uint8Array.prototype as { readonly toBase64?: () => string };
// Below this length the loop is as fast.
const SHORT = 16;

/** Encodes bytes as standard base64 with padding (RFC 4648, section 4). */
export function encodeBase64(bytes: Uint8Array): string {
  return toBase64 === undefined || bytes.length < SHORT ? encodePairs(bytes) : toBase64.call(bytes);
}

/** Encodes three bytes at a time as two pairs of characters, on runtimes without a method for it. */
export function encodePairs(bytes: Uint8Array): string {
  let text = "";
  let at = 0;
  for (; at + 2 < bytes.length; at += 3) {
    const bits = byteAt(bytes, at) << 16 | byteAt(bytes, at + 1) << 8 | byteAt(bytes, at + 2);
    text += pair(bits >> 12) + pair(bits & 4095);
  }
  if (at + 1 === bytes.length) return `${text}${pair(byteAt(bytes, at) << 4)}==`;
  if (at + 2 === bytes.length) {
    const bits = byteAt(bytes, at) << 10 | byteAt(bytes, at + 1) << 2;
    return `${text}${pair(bits >> 6)}${ALPHABET.charAt(bits & 63)}=`;
  }
  return text;
}

/** Decodes standard or URL-safe base64 with or without padding. Returns undefined for any other text. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const end = text.endsWith("==") ? text.length - 2 : text.endsWith("=") ? text.length - 1 : text.length;
  const isPadded = end !== text.length;
  if (end % 4 === 1 || isPadded && text.length % 4 !== 0) return undefined;
  const bytes = new Uint8Array(Math.floor(end * 3 / 4));
  let bits = 0;
  let written = 0;
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at);
    const value = code < 128 ? VALUES[code] ?? INVALID : INVALID;
    if (value === INVALID) return undefined;
    bits = bits << 6 | value;
    const phase = at & 3;
    if (phase !== 0) bytes[written++] = bits >> (6 - 2 * phase);
  }
  return bytes;
}

function pair(bits: number): string {
  return PAIRS[bits] ?? "";
}

function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}
