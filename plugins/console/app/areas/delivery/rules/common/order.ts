/** Returns the list with one item moved by a step; unchanged if there is no place for it. */
export function moved<Item>(list: readonly Item[], index: number, step: -1 | 1): readonly Item[] {
  const [item, other] = [list[index], list[index + step]];
  if (item === undefined || other === undefined) return list;
  return list.with(index, other).with(index + step, item);
}

/** Returns the list without one item. */
export function without<Item>(list: readonly Item[], index: number): readonly Item[] {
  return list.filter((_, at) => at !== index);
}

/** Returns the list with one item replaced, or with a new one at its end. */
export function placed<Item>(list: readonly Item[], index: number, item: Item): readonly Item[] {
  return index < list.length ? list.with(index, item) : [...list, item];
}
