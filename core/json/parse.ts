import { refusal } from "./fault.ts";
import { rawNumber } from "./value.ts";

/** How deep JSON may nest where nothing else is said. */
export const DEFAULT_MAX_DEPTH = 100;

export interface ParseLimits {
  /** How many arrays and objects may contain one another. */
  readonly maxDepth?: number;
  /** What the text is, for the error; without it the text is a request's body. */
  readonly path?: string;
}

// Only a literal with so many digits before its point can be an integer beyond 2^53-1, but for exponents.
const LONG_NUMBER = /[:[,\s-]\d{16}/;

/**
 * JSON.parse with bounded depth. Integers that a number cannot hold exactly are kept as JSON.rawJSON objects, so that
 * a codec can name them in its error and plain JSON keeps them.
 */
export function parseJson(text: string, limits: ParseLimits = {}): unknown {
  const { maxDepth = DEFAULT_MAX_DEPTH, path = "" } = limits;
  // A bracket needs its counterpart, so that a short text cannot nest too deeply.
  if (text.length > 2 * maxDepth && isDeeperThan(maxDepth, text)) {
    throw refusal(path, `the JSON is nested deeper than ${maxDepth} levels`);
  }
  try {
    return LONG_NUMBER.test(text) ? JSON.parse(text, keepUnsafeInteger) : JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw refusal(path, `not valid JSON: ${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}`);
  }
}

function keepUnsafeInteger(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== "number" || Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
  return context?.source === undefined ? value : rawNumber(context.source);
}

function isDeeperThan(maxDepth: number, text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = endOfString(text, at);
        if (at === -1) return false;
        break;
      case 0x5b: // [
      case 0x7b: // {
        if (++depth > maxDepth) return true;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
    }
  }
  return false;
}

/** Where the string that begins at `start` ends, or -1. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}
