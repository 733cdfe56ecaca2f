import type { Wanted, WantedObjects } from "./import_files.ts";
import type { Installation } from "./installation.ts";
import type { Item } from "./item.ts";
import { indexed, keyText } from "./labels.ts";
import type { Kinds } from "./kinds.ts";
import { isObject, Reference } from "./values.ts";

/** The object of the installation for each object of the files that exists. */
export type Pairs = ReadonlyMap<Wanted, Item>;

/**
 * Finds the objects of files in an installation: by their labels or, for what no list has, by what refers to them in both.
 * Those get the labels that the files give them.
 */
export function pairsOf(wanted: WantedObjects, installation: Installation, kinds: Kinds): Pairs {
  return new Matcher(wanted, installation, kinds).pairs();
}

class Matcher {
  readonly #wanted: WantedObjects;
  readonly #installation: Installation;
  readonly #kinds: Kinds;
  readonly #byId: ReadonlyMap<string, ReadonlyMap<string, Item>>;
  readonly #byLabel: ReadonlyMap<string, ReadonlyMap<string, Wanted>>;
  readonly #pairs = new Map<Wanted, Item>();
  readonly #matched = new Set<Item>();

  constructor(wanted: WantedObjects, installation: Installation, kinds: Kinds) {
    this.#wanted = wanted;
    this.#installation = installation;
    this.#kinds = kinds;
    this.#byId = indexed(installation.items);
    this.#byLabel = new Map([...wanted].map(([name, list]) => [name, new Map(list.map((each) => [each.label, each]))]));
  }

  pairs(): Pairs {
    for (const [name, list] of this.#wanted) {
      if (this.#kinds.byName.get(name)?.list === undefined) continue;
      const byLabel = new Map((this.#installation.items.get(name) ?? []).map((item) => [item.label, item]));
      for (const each of list) {
        const item = byLabel.get(each.label);
        if (item !== undefined) this.#pair(each, item);
      }
    }
    // pairs are added while they are walked
    for (const [each, item] of this.#pairs) this.#walk(each.values, item.values);
    this.#pairByLabel();
    return this.#pairs;
  }

  #pair(wanted: Wanted, item: Item): void {
    this.#pairs.set(wanted, item);
    this.#matched.add(item);
    item.label = wanted.label;
  }

  /** Pairs what no list has and both sides refer to in the same place. */
  #walk(wanted: unknown, present: unknown): void {
    if (present instanceof Reference) {
      const each = this.#byLabel.get(present.kind)?.get(String(wanted));
      const item = this.#byId.get(present.kind)?.get(present.id);
      if (each === undefined || item === undefined || this.#pairs.has(each) || this.#matched.has(item)) return;
      if (item.kind.list === undefined) this.#pair(each, item);
    } else if (Array.isArray(wanted) && Array.isArray(present)) {
      const inPlace = [...wanted.entries()].sort(([, one], [, other]) =>
        Number(this.#like(other, present) !== -1) - Number(this.#like(one, present) !== -1)
      );
      for (const [index, item] of inPlace) {
        const like = this.#like(item, present);
        this.#walk(item, present[like === -1 ? index : like]);
      }
    } else if (isObject(wanted) && isObject(present)) {
      for (const [name, value] of Object.entries(wanted)) this.#walk(value, present[name]);
    }
  }

  /** Returns the position of an item that refers to an object with the same key. */
  #like(wanted: unknown, present: readonly unknown[]): number {
    return present.findIndex((candidate) => this.#isAlike(wanted, candidate));
  }

  #isAlike(wanted: unknown, present: unknown): boolean {
    if (present instanceof Reference) {
      const each = this.#byLabel.get(present.kind)?.get(String(wanted));
      const item = this.#byId.get(present.kind)?.get(present.id);
      if (each === undefined || item === undefined || item.kind.list !== undefined || this.#matched.has(item)) {
        return false;
      }
      return keyText(item.kind, item.values) === keyText(each.kind, each.values);
    }
    if (!isObject(wanted) || !isObject(present)) return false;
    return Object.entries(wanted).some(([name, value]) => this.#isAlike(value, present[name]));
  }

  #pairByLabel(): void {
    for (const [name, list] of this.#byLabel) {
      for (const item of this.#installation.items.get(name) ?? []) {
        const each = list.get(item.label);
        if (each !== undefined && !this.#pairs.has(each) && !this.#matched.has(item)) this.#pair(each, item);
      }
    }
  }
}
