/**
 * Removes duplicates from a list. Each item keeps the position of its first occurrence.
 *
 * @example
 * ```ts
 * import { distinct } from "edgehelm";
 *
 * distinct([3n, 1n, 3n]); // [3n, 1n]
 * ```
 */
export function distinct<Item>(items: readonly Item[]): Item[] {
  return [...new Set(items)];
}
