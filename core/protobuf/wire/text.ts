import { WireError } from "./reader.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
/** Up to this length, String.fromCharCode is faster than TextDecoder. */
const SHORT = 48;

/**
 * Checks that the bytes from `from` to `to` (exclusive) are UTF-8 without NUL.
 *
 * @returns true if the text is ASCII
 * @throws WireError
 *
 * @example
 * ```ts
 * import { checkText, textOf } from "edgehelm/wire";
 *
 * reader.span();
 * const { bytes, from, to } = reader;
 * const text = textOf(bytes, from, to, checkText(bytes, from, to));
 * ```
 */
export function checkText(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    if (byte === 0) throw new WireError("must not contain NUL");
    if (byte >= 0x80) {
      checkUtf8(bytes, at, to);
      return false;
    }
  }
  return true;
}

function checkUtf8(bytes: Uint8Array, from: number, to: number): void {
  for (let at = from; at < to;) {
    const byte = bytes[at++]!;
    if (byte === 0) throw new WireError("must not contain NUL");
    if (byte < 0x80) continue;
    const more = byte >= 0xf5 ? 0 : byte >= 0xf0 ? 3 : byte >= 0xe0 ? 2 : byte >= 0xc2 ? 1 : 0;
    if (more === 0 || at + more > to) throw notUtf8();
    const second = bytes[at]!;
    // Overlong forms, surrogates and code points above U+10FFFF are invalid.
    const min = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
    const max = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
    if (second < min || second > max) throw notUtf8();
    for (let index = 1; index < more; index++) if ((bytes[at + index]! & 0xc0) !== 0x80) throw notUtf8();
    at += more;
  }
}

function notUtf8(): WireError {
  return new WireError("must be UTF-8");
}

/**
 * Decodes text that was checked with {@link checkText}.
 *
 * @param isAscii the result of `checkText`
 *
 * @example
 * ```ts
 * import { checkText, textOf } from "edgehelm/wire";
 *
 * const text = textOf(bytes, from, to, checkText(bytes, from, to));
 * ```
 */
export function textOf(bytes: Uint8Array, from: number, to: number, isAscii: boolean): string {
  if (from === to) return "";
  const piece = bytes.subarray(from, to);
  if (isAscii && to - from <= SHORT) return String.fromCharCode.apply(null, piece as unknown as number[]);
  return decoder.decode(piece);
}
