import type { Item } from "./item.ts";
import { isObject, Reference } from "./values.ts";

/** The labels of objects, by kind and id. */
export type Labels = ReadonlyMap<string, ReadonlyMap<string, Item>>;

/** Stands for a reference to an object that has no label, such as one that the caller may not see. */
export const UNNAMED = Symbol("an object without a label");

/** Returns a value in which labels are in the place of references. A list loses what has no label. */
export function labelled(value: unknown, labels: Labels): unknown {
  if (value instanceof Reference) return labels.get(value.kind)?.get(value.id)?.label ?? UNNAMED;
  if (Array.isArray(value)) return value.map((item) => labelled(item, labels)).filter((item) => item !== UNNAMED);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, labelled(item, labels)] as const);
  return Object.fromEntries(entries.filter(([, item]) => item !== UNNAMED));
}

/** Returns the values of an object with labels in the place of references; fields without a label are left out. */
export function labelledValues({ values }: Item, labels: Labels): Record<string, unknown> {
  return labelled(values, labels) as Record<string, unknown>;
}
