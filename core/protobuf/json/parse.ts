import { countKeys, endOfString, findDuplicateKey } from "./duplicate_keys.ts";
import { joinPath, requestError } from "./json_error.ts";
import { rawNumber } from "./value.ts";

/** The default maximum nesting depth. */
export const DEFAULT_MAX_DEPTH = 100;

export interface ParseLimits {
  /** The maximum nesting depth of arrays and objects. 100 by default. */
  readonly maxDepth?: number;
  /** The name of the text, for errors; empty for the body of a request. */
  readonly path?: string;
}

/** The number of digits of 2^53, the smallest integer that may be rounded. */
const LONG_DIGITS = 16;

const QUOTE = 0x22;
const COLON = 0x3a;

/**
 * Parses JSON with limited depth and unique keys. Integers that a number cannot represent exactly become JSON.rawJSON objects, so that
 * a codec can quote them in its error and plain JSON preserves them.
 *
 * @throws RpcError invalid
 */
export function parseJson(text: string, limits: ParseLimits = {}): unknown {
  const { maxDepth = DEFAULT_MAX_DEPTH, path = "" } = limits;
  const { isTooDeep, hasLongNumber, keys } = scan(text, maxDepth);
  if (isTooDeep) throw requestError(path, `the JSON is nested deeper than ${maxDepth} levels`);
  const value = parse(text, path, hasLongNumber);
  // JSON.parse silently keeps the last of several values
  if (keys > 0 && countKeys(value) < keys) {
    throw requestError(joinPath(path, findDuplicateKey(text) ?? ""), "is given twice");
  }
  return value;
}

function parse(text: string, path: string, hasLongNumber: boolean): unknown {
  try {
    return hasLongNumber ? JSON.parse(text, keepUnsafeInteger) : JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw requestError(path, `not valid JSON: ${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}`);
  }
}

function keepUnsafeInteger(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== "number" || Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
  return context?.source === undefined ? value : rawNumber(context.source);
}

interface Scan {
  readonly isTooDeep: boolean;
  readonly hasLongNumber: boolean;
  /** The number of keys of all objects. */
  readonly keys: number;
}

/** Scans the text before anything is allocated for its content. */
function scan(text: string, maxDepth: number): Scan {
  let depth = 0;
  let digits = 0;
  let keys = 0;
  let hasLongNumber = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
    } else if (code >= 0x30 && code <= 0x39) {
      if (++digits === LONG_DIGITS) hasLongNumber = true;
    } else {
      digits = 0;
      if (code === 0x5b || code === 0x7b) { // [ {
        if (++depth > maxDepth) return { isTooDeep: true, hasLongNumber, keys };
      } else if (code === 0x5d || code === 0x7d) { // ] }
        depth--;
      } else if (code === COLON) {
        keys++;
      }
    }
  }
  return { isTooDeep: false, hasLongNumber, keys };
}
