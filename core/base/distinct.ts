/** Each item once, in the order in which they come first. */
export function distinct<Item>(items: readonly Item[]): Item[] {
  return [...new Set(items)];
}
