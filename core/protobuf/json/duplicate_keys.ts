import { joinPath, keySegment } from "./json_error.ts";
import { isRawNumber } from "./value.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** An array or object of a JSON text. */
interface Container {
  /** The keys so far; undefined for an array. */
  readonly keys: Set<string> | undefined;
  /** The key or index of the current item. */
  segment: string;
  index: number;
}

/** Returns the number of keys of all objects in a parsed value. */
export function countKeys(value: unknown): number {
  if (typeof value !== "object" || value === null || isRawNumber(value)) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === "object") count += countKeys(item);
    return count;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(fields)) {
    count++;
    const item = fields[key];
    if (typeof item === "object") count += countKeys(item);
  }
  return count;
}

/**
 * Finds a key that an object of a JSON text has twice. Parsers keep one of the values and drop the others, and not all
 * keep the same one.
 *
 * @param text valid JSON
 * @returns the path of the second occurrence, such as `rows[3].name`, or undefined if there is none
 */
export function findDuplicateKey(text: string): string | undefined {
  const open: Container[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    const container = open.at(-1);
    if (character === '"') {
      const end = endOfString(text, at);
      if (container?.keys !== undefined && isFollowedByColon(text, end + 1)) {
        const key: string = JSON.parse(text.slice(at, end + 1));
        container.segment = keySegment(key);
        if (container.keys.has(key)) return pathOf(open);
        container.keys.add(key);
      }
      at = end;
    } else if (character === "{") {
      open.push({ keys: new Set(), segment: "", index: 0 });
    } else if (character === "[") {
      open.push({ keys: undefined, segment: "[0]", index: 0 });
    } else if (character === "}" || character === "]") {
      open.pop();
    } else if (character === "," && container?.keys === undefined && container !== undefined) {
      container.segment = `[${++container.index}]`;
    }
  }
  return undefined;
}

function pathOf(open: readonly Container[]): string {
  return open.reduce((path, { segment }) => joinPath(path, segment), "");
}

function isFollowedByColon(text: string, from: number): boolean {
  let at = from;
  while (text[at] === " " || text[at] === "\n" || text[at] === "\r" || text[at] === "\t") at++;
  return text[at] === ":";
}

/** Returns the position of the quote that closes the string at `start`, or the end of the text. */
export function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
  }
  return text.length;
}
