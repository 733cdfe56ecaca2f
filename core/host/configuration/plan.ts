import { type Difference, differences } from "./differences.ts";
import type { Wanted, WantedObjects } from "./import_files.ts";
import type { Installation } from "./installation.ts";
import { type Item, referencesIn } from "./item.ts";
import { indexed } from "./labels.ts";
import { labelledValues } from "./labelled.ts";
import type { Kind, Kinds } from "./kinds.ts";
import { type Pairs, pairsOf } from "./pairs.ts";
import type { Secrets } from "./secrets.ts";

/** An object that exists and differs from its file. */
export interface Change {
  readonly wanted: Wanted;
  readonly item: Item;
  readonly differences: readonly Difference[];
}

/** The changes that bring an installation to what the files say. */
export interface Plan {
  readonly creates: readonly Wanted[];
  readonly changes: readonly Change[];
  /** The objects of the kinds in the files that no file has. */
  readonly surplus: readonly Item[];
  /** The kinds whose objects are in another order. */
  readonly orders: readonly Kind[];
  readonly pairs: Pairs;
  readonly installation: Installation;
  /** The names under which objects may be meant that the files have under others. */
  readonly renames: ReadonlyMap<Item, Wanted>;
}

/** Compares files with an installation. */
export function planOf(wanted: WantedObjects, installation: Installation, kinds: Kinds, secrets: Secrets): Plan {
  const pairs = pairsOf(wanted, installation, kinds);
  const labels = indexed(installation.items);
  const all = [...wanted.values()].flat();
  const creates = all.filter((each) => !pairs.has(each));
  const changes = all.flatMap((each): Change[] => {
    const item = pairs.get(each);
    if (item === undefined) return [];
    const present = labelledValues(item, labels);
    const found = Object.entries(each.values).flatMap(([name, value]) =>
      differences(name, value, present[name], secrets)
    );
    return found.length === 0 ? [] : [{ wanted: each, item, differences: found }];
  });
  const surplus = surplusOf(wanted, installation, pairs, kinds);
  return {
    creates,
    changes,
    surplus,
    orders: ordersOf(wanted, installation, kinds, pairs),
    pairs,
    installation,
    renames: renamesOf(surplus, creates, labels, secrets),
  };
}

/** Returns true if the installation is what the files say. */
export function isDone({ creates, changes, orders, surplus }: Plan, deletes: boolean): boolean {
  return creates.length + changes.length + orders.length === 0 && (!deletes || surplus.length === 0);
}

/** Returns the ids of all objects of a kind in the order of its file; those that no file has follow. */
export function orderedIds(
  { name }: Kind,
  wanted: WantedObjects,
  { items }: Installation,
  pairs: Pairs,
): string[] {
  const first = (wanted.get(name) ?? []).flatMap((each) => pairs.get(each)?.id ?? []);
  const others = (items.get(name) ?? []).flatMap(({ id }) => id === undefined || first.includes(id) ? [] : [id]);
  return [...first, ...others];
}

function ordersOf(wanted: WantedObjects, installation: Installation, kinds: Kinds, pairs: Pairs): Kind[] {
  return [...wanted.keys()].flatMap((name) => {
    const kind = kinds.byName.get(name)!;
    if (kind.order === undefined) return [];
    const first = (wanted.get(name) ?? []).flatMap((each) => pairs.get(each)?.id ?? []);
    const present = (installation.items.get(name) ?? []).flatMap(({ id }) =>
      id !== undefined && first.includes(id) ? [id] : []
    );
    return first.some((id, index) => id !== present[index]) ? [kind] : [];
  });
}

function surplusOf(wanted: WantedObjects, { items }: Installation, pairs: Pairs, kinds: Kinds): Item[] {
  const kept = new Set(pairs.values());
  return [...wanted.keys()].flatMap((name) => {
    const { remove } = kinds.byName.get(name)!;
    return remove === undefined ? [] : (items.get(name) ?? []).filter((item) => !kept.has(item));
  });
}

/** Finds objects that differ from new ones in nothing but what tells objects apart. */
function renamesOf(
  surplus: readonly Item[],
  creates: readonly Wanted[],
  labels: ReturnType<typeof indexed>,
  secrets: Secrets,
): Map<Item, Wanted> {
  const renames = new Map<Item, Wanted>();
  const open = creates.filter(({ kind }) => surplus.some((item) => item.kind === kind)).slice(0, MAX_COMPARED);
  for (const item of surplus.slice(0, MAX_COMPARED)) {
    const present = labelledValues(item, labels);
    const keys = item.kind.key.map((path) => path.split(".")[0]);
    const others = [...item.kind.fields.keys()].filter((name) => !keys.includes(name));
    if (others.length === 0) continue;
    const like = open.find(({ kind, values }) =>
      kind === item.kind && ![...renames.values()].some((each) => each.values === values) &&
      others.every((name) => !(name in values) || differences("", values[name], present[name], secrets).length === 0)
    );
    if (like !== undefined) renames.set(item, like);
  }
  return renames;
}

/** The number of objects on each side that are compared to find new names. */
const MAX_COMPARED = 200;

/** Returns objects so that each comes before those that it refers to. */
export function referrersFirst(items: readonly Item[]): Item[][] {
  const rounds: Item[][] = [];
  let left = [...items];
  while (left.length > 0) {
    const referred = new Set(left.flatMap(({ kind, values }) => {
      return referencesIn(values).map(({ kind: name, id }) => `${name} ${id}`).filter((each) =>
        each !== `${kind.name} `
      );
    }));
    const free = left.filter(({ kind, id }) => id === undefined || !referred.has(`${kind.name} ${id}`));
    const round = new Set(free.length === 0 ? left : free);
    rounds.push([...round]);
    left = left.filter((item) => !round.has(item));
  }
  return rounds;
}
