import { WireError } from "./reader.ts";

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
/** Up to here making a text of its codes takes less time than a decoder. */
const SHORT = 48;

/**
 * Checks that a piece of bytes is text: UTF-8 without NUL. Answers whether it is ASCII.
 *
 * @throws WireError
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
    // No longer form than needed, no half of a pair, nothing above U+10FFFF.
    const least = byte === 0xe0 ? 0xa0 : byte === 0xf0 ? 0x90 : 0x80;
    const most = byte === 0xed ? 0x9f : byte === 0xf4 ? 0x8f : 0xbf;
    if (second < least || second > most) throw notUtf8();
    for (let index = 1; index < more; index++) if ((bytes[at + index]! & 0xc0) !== 0x80) throw notUtf8();
    at += more;
  }
}

function notUtf8(): WireError {
  return new WireError("must be UTF-8");
}

/** The text of a piece that was checked. */
export function textOf(bytes: Uint8Array, from: number, to: number, isAscii: boolean): string {
  if (from === to) return "";
  const piece = bytes.subarray(from, to);
  if (isAscii && to - from <= SHORT) return String.fromCharCode.apply(null, piece as unknown as number[]);
  return decoder.decode(piece);
}
