import { ApiError } from "../../client/api_error.ts";
import type { Api } from "./api.ts";
import { concurrently } from "./concurrently.ts";
import { type Item, type Known, referencesIn } from "./item.ts";
import { labelItems } from "./labels.ts";
import type { Kind, Kinds } from "./kinds.ts";
import { at, isObject, jsonOf, lookUp, Reference, type ValueCodec, type Values } from "./values.ts";

/** The configuration of an installation. */
export interface Installation {
  /** The objects of each kind, in the order of the list. */
  readonly items: ReadonlyMap<string, readonly Item[]>;
  /** The kinds that the caller may not read. */
  readonly forbidden: readonly string[];
}

/** Reads the objects of kinds, and those that they refer to and no list has. */
export class InstallationReader {
  readonly #api: Api;
  readonly #kinds: Kinds;
  readonly #codec: ValueCodec;
  readonly #readsSecrets: (kind: Kind) => boolean;
  readonly #items = new Map<string, Item[]>();
  readonly #forbidden: string[] = [];

  /** @param readsSecrets tells of which kinds the secrets are needed: who may read them does so on record */
  constructor(api: Api, kinds: Kinds, codec: ValueCodec, readsSecrets: (kind: Kind) => boolean) {
    this.#api = api;
    this.#kinds = kinds;
    this.#codec = codec;
    this.#readsSecrets = readsSecrets;
  }

  async read(wanted: readonly Kind[], known: Known = new Map()): Promise<Installation> {
    await concurrently(wanted.filter(({ declaration }) => declaration.each === undefined), (kind) => this.#list(kind));
    for (const kind of wanted) if (kind.declaration.each !== undefined) await this.#list(kind);
    const names = new Set(wanted.map(({ name }) => name));
    const asked = new Map<string, Set<string>>();
    for (const [name, ids] of known) await this.#follow([...ids.keys()].map((id) => new Reference(name, id)), asked);
    for (let seen = -1; seen < this.#count();) {
      seen = this.#count();
      const references = [...this.#items.values()].flat().flatMap(({ values }) => referencesIn(values));
      await this.#follow(references.filter(({ kind }) => names.has(kind)), asked);
    }
    labelItems(this.#items, this.#kinds, known);
    return { items: this.#items, forbidden: this.#forbidden };
  }

  #count(): number {
    return [...this.#items.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Reads the objects that only references lead to, each once. */
  async #follow(references: readonly Reference[], asked: Map<string, Set<string>>): Promise<void> {
    const fresh = references.filter(({ kind, id }) => {
      if (this.#kinds.byName.get(kind)?.list !== undefined) return false;
      const ids = asked.get(kind) ?? new Set();
      asked.set(kind, ids);
      return !ids.has(id) && ids.add(id);
    });
    const found = new Map<Reference, Item>();
    await concurrently(fresh, async (reference) => {
      const kind = this.#kinds.byName.get(reference.kind)!;
      const item = await this.#complete(kind, { id: reference.id });
      if (item !== undefined) found.set(reference, item);
    });
    for (const reference of fresh) {
      const item = found.get(reference);
      if (item !== undefined) this.#items.set(reference.kind, [...this.#items.get(reference.kind) ?? [], item]);
    }
  }

  async #list(kind: Kind): Promise<void> {
    const { each, eachAndNone, except } = kind.declaration;
    if (kind.list === undefined) return;
    try {
      const parent = each === undefined ? undefined : this.#kinds.byName.get(each);
      const parents: Values[] = parent === undefined || eachAndNone ? [{}] : [];
      if (parent !== undefined) {
        for (const { id } of this.#items.get(parent.name) ?? []) parents.push({ [parent.id!]: id });
      }
      const lists: Values[][] = [];
      await concurrently(parents, async (of, index) => {
        const objects = await this.#api.all(kind.list!, { ...kind.constants, ...of });
        lists[index] = objects.map((object) => ({ ...object, ...of }));
      });
      const objects = entriesOf(kind, lists.flat()).filter((object) => except === undefined || !has(object, except));
      const items: (Item | undefined)[] = [];
      await concurrently(objects, async (object, index) => {
        items[index] = await this.#complete(kind, object);
      });
      this.#items.set(kind.name, items.filter((item) => item !== undefined));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 403) throw error;
      this.#forbidden.push(kind.name);
    }
  }

  /** Reads the secrets of an object; nothing if they are not needed, or the caller may not read them. */
  async #secrets(kind: Kind, request: Values): Promise<Values> {
    if (kind.secrets === undefined || !this.#readsSecrets(kind)) return {};
    try {
      return await this.#api.call(kind.secrets, request);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 403) throw error;
      return {};
    }
  }

  /** Adds what other operations tell of an object. Returns undefined if there is no such object. */
  async #complete(kind: Kind, listed: Values): Promise<Item | undefined> {
    const id = kind.id === undefined ? undefined : String(listed["id"]);
    let object = listed;
    const request = { ...kind.constants, ...kind.id !== undefined && { [kind.id]: id } };
    if (kind.find !== undefined) {
      const found = await this.#api.one(kind.find, request);
      if (found === undefined) return undefined;
      object = { ...listed, ...found };
    }
    for (const part of kind.parts) object = { ...object, ...await this.#api.call(part, request) };
    object = { ...object, ...await this.#secrets(kind, request) };
    const values = Object.fromEntries(
      [...kind.fields.values()].flatMap((field) => {
        const names = [...field.requests, field.name, `${field.name}JSON`];
        const raw = names.map((name) => lookUp(object, name, field.from)).find((each) => each !== undefined);
        const value = this.#codec.read(field, raw);
        return value === undefined ? [] : [[field.name, value]];
      }),
    );
    return { kind, id, object, values, label: "" };
  }
}

/** Returns the entries of a JSON object of each listed object, if those are the objects of the kind. */
function entriesOf({ declaration: { entries } }: Kind, objects: readonly Values[]): readonly Values[] {
  if (entries === undefined) return objects;
  return objects.flatMap((object) => {
    const content = jsonOf(object[entries]);
    return Object.entries(isObject(content) ? content : {})
      .map(([entryKey, entryValue]) => ({ ...object, entryKey, entryValue }));
  });
}

function has(object: Values, condition: string): boolean {
  const [path = "", value] = condition.split("=");
  return String(at(object, path)) === value;
}
