import { ZoneError } from "./zone_error.ts";

/** The maximum length of a TXT string (RFC 1035, section 3.3). */
const MAX_STRING_BYTES = 255;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Joins words of a file and decodes them, including `\DDD` escapes, as UTF-8. */
export function textOf(words: readonly string[]): string {
  const joined = words.join("");
  if (!joined.includes("\\")) return joined;
  const bytes: number[] = [];
  for (const [part] of joined.matchAll(/\\[0-9]{1,3}|\\[^]|[^\\]+/gu)) {
    if (/^\\[0-9]/.test(part)) bytes.push(byteOf(part));
    else for (const byte of encoder.encode(part.replace(/^\\/, ""))) bytes.push(byte);
  }
  try {
    return decoder.decode(Uint8Array.from(bytes));
  } catch {
    throw new ZoneError("the text is not UTF-8");
  }
}

function byteOf(escape: string): number {
  const byte = Number(escape.slice(1));
  if (escape.length === 4 && byte <= 255) return byte;
  throw new ZoneError(`"${escape}" must be three digits from 000 to 255`);
}

/** Resolves the escapes of letters and digits in a name. Other escapes remain, because names must not contain them. */
export function plainName(word: string): string {
  return word.replace(/\\(\d{3}|[^])/g, (escape, escaped: string) => {
    const char = escaped.length === 3 ? String.fromCharCode(Number(escaped)) : escaped;
    return /^[A-Za-z0-9_*-]$/.test(char) && !/^\\\d$/.test(escape) ? char : escape;
  });
}

/** Returns a text as quoted strings of at most 255 bytes each. */
export function quotedStrings(text: string): string {
  const bytes = encoder.encode(text);
  const strings = [];
  for (let from = 0; from < bytes.length || from === 0; from += MAX_STRING_BYTES) {
    strings.push(quoted(bytes.subarray(from, from + MAX_STRING_BYTES)));
  }
  return strings.join(" ");
}

/** Returns a text as one quoted string of any length. */
export function quotedString(text: string): string {
  return quoted(encoder.encode(text));
}

function quoted(bytes: Uint8Array): string {
  let inner = "";
  for (const byte of bytes) {
    const char = String.fromCharCode(byte);
    if (char === '"' || char === "\\") inner += `\\${char}`;
    else inner += byte >= 0x20 && byte <= 0x7e ? char : `\\${String(byte).padStart(3, "0")}`;
  }
  return `"${inner}"`;
}
