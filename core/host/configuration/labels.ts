import { type Item, type Known, referencesIn } from "./item.ts";
import type { Kind, Kinds } from "./kinds.ts";
import { at, Reference } from "./values.ts";

/** The separator of the fields that tell objects apart. */
const SEPARATOR = "/";

/** Gives labels that are unique within their kinds, so that each object has its name in the place of its id. */
export function labelItems(items: ReadonlyMap<string, Item[]>, kinds: Kinds, known: Known): void {
  const byId = indexed(items);
  const taken = new Map<string, Set<string>>();
  const claim = (item: Item, base: string) => {
    const labels = taken.get(item.kind.name) ?? new Set();
    taken.set(item.kind.name, labels);
    item.label = unique(base, labels);
  };
  for (const [name, labels] of known) {
    for (const [id, label] of labels) {
      const item = byId.get(name)?.get(id);
      if (item !== undefined) claim(item, label);
    }
  }
  const own = new Map<Item, string>();
  const listed = [...items.values()].flat().filter(({ kind }) => kind.list !== undefined);
  for (const item of listed) own.set(item, ownLabel(item, byId, own));
  for (const item of listed.toSorted(byNumber)) claim(item, own.get(item)!);
  // what no list has is named after what refers to it
  const order = [...kinds.byName.keys()];
  const position = ({ kind, label }: Item) => [order.indexOf(kind.name), label] as const;
  let level = listed.toSorted((one, other) => compared(position(one), position(other)));
  level.push(...[...items.values()].flat().filter(({ kind, label }) => kind.list === undefined && label !== ""));
  while (level.length > 0) {
    const next: Item[] = [];
    for (const referrer of level) {
      for (const { kind, id } of referencesIn(referrer.values)) {
        const item = byId.get(kind)?.get(id);
        if (item === undefined || item.label !== "" || item.kind.list !== undefined) continue;
        claim(item, [referrer.label, keyText(item.kind, item.values)].filter(Boolean).join(SEPARATOR));
        next.push(item);
      }
    }
    level = next;
  }
}

/** Returns objects by their kinds and ids. */
export function indexed(items: ReadonlyMap<string, readonly Item[]>): Map<string, Map<string, Item>> {
  return new Map(
    [...items].map(([name, list]) => [
      name,
      new Map(list.flatMap((item) => item.id === undefined ? [] : [[item.id, item] as const])),
    ]),
  );
}

/** Returns the text of the fields that tell objects of a kind apart, in which references are labels already. */
export function keyText({ key }: Kind, values: Readonly<Record<string, unknown>>): string {
  return key.map((path) => textOf(at(values, path))).filter(Boolean).join(SEPARATOR);
}

/** Returns a label that is not taken yet: with a number if need be. */
export function unique(base: string, taken: Set<string>): string {
  let label = base;
  for (let count = 2; taken.has(label); count++) label = `${base}~${count}`;
  taken.add(label);
  return label;
}

function ownLabel(item: Item, byId: Map<string, Map<string, Item>>, own: Map<Item, string>): string {
  const earlier = own.get(item);
  if (earlier !== undefined) return earlier;
  const label = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(label);
    if (!(value instanceof Reference)) return value;
    const target = byId.get(value.kind)?.get(value.id);
    return target === undefined ? value.id : ownLabel(target, byId, own);
  };
  const text = item.kind.key.map((path) => textOf(label(at(item.values, path)))).filter(Boolean).join(SEPARATOR);
  own.set(item, text);
  return text;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join(",");
  return value === undefined || value === null ? "" : String(value);
}

function byNumber(one: Item, other: Item): number {
  return Number(one.id ?? 0) - Number(other.id ?? 0);
}

function compared(one: readonly [number, string], other: readonly [number, string]): number {
  return one[0] - other[0] || (one[1] < other[1] ? -1 : one[1] > other[1] ? 1 : 0);
}
