import { refusal } from "./json_error.ts";
import { rawNumber } from "./value.ts";

/** How deep JSON may nest where nothing else is said. */
export const DEFAULT_MAX_DEPTH = 100;

export interface ParseLimits {
  /** How many arrays and objects may contain one another. */
  readonly maxDepth?: number;
  /** What the text is, for the error; without it the text is a request's body. */
  readonly path?: string;
}

/** As many digits has the smallest integer beyond 2^53-1. */
const LONG = 16;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * JSON.parse with bounded depth. Integers that a number cannot hold exactly are kept as JSON.rawJSON objects, so that
 * a codec can name them in its error and plain JSON keeps them.
 */
export function parseJson(text: string, limits: ParseLimits = {}): unknown {
  const { maxDepth = DEFAULT_MAX_DEPTH, path = "" } = limits;
  const { isTooDeep, hasLongNumber } = survey(text, maxDepth);
  if (isTooDeep) throw refusal(path, `the JSON is nested deeper than ${maxDepth} levels`);
  try {
    return hasLongNumber ? JSON.parse(text, keepUnsafeInteger) : JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw refusal(path, `not valid JSON: ${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}`);
  }
}

function keepUnsafeInteger(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== "number" || Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
  return context?.source === undefined ? value : rawNumber(context.source);
}

/** Looks over the text once, before anything is built from it. */
function survey(text: string, maxDepth: number): { readonly isTooDeep: boolean; readonly hasLongNumber: boolean } {
  let depth = 0;
  let digits = 0;
  let hasLongNumber = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
    } else if (code >= 0x30 && code <= 0x39) {
      if (++digits === LONG) hasLongNumber = true;
    } else {
      digits = 0;
      if (code === 0x5b || code === 0x7b) { // [ {
        if (++depth > maxDepth) return { isTooDeep: true, hasLongNumber };
      } else if (code === 0x5d || code === 0x7d) { // ] }
        depth--;
      }
    }
  }
  return { isTooDeep: false, hasLongNumber };
}

/** Where the string that begins at `start` ends, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
  }
  return text.length;
}
