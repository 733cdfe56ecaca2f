import { createHash } from "node:crypto";
import { ApiError } from "../../client/api_error.ts";
import type { Api } from "./api.ts";
import type { Wanted } from "./import_files.ts";
import type { Installation } from "./installation.ts";
import type { Kind } from "./kinds.ts";
import type { Values } from "./values.ts";

/**
 * Creates objects so that an application that was cut off, and is repeated, makes none of them twice. The idempotency key
 * says what is created: the same request returns the object that the earlier one made.
 */
export class Creations {
  readonly #api: Api;
  readonly #before: Installation;
  readonly #read: () => Promise<Installation>;
  #now: Promise<Installation> | undefined;

  /**
   * @param before what the installation had, none of which is created
   * @param read reads what it has now
   */
  constructor(api: Api, before: Installation, read: () => Promise<Installation>) {
    this.#api = api;
    this.#before = before;
    this.#read = read;
  }

  /** Creates an object and returns its id; undefined for an object without one. */
  async create(wanted: Wanted, request: Values): Promise<string | undefined> {
    const { kind } = wanted;
    const { operation } = kind.create!;
    // an object without an id is a setting, which may be written again
    if (kind.id === undefined) return void await this.#api.call(operation, request);
    for (let turn = 0;; turn++) {
      let isReplay = false;
      try {
        const response = await this.#api.call(operation, request, {
          idempotencyKey: creationKey(wanted, request, turn),
          onReplay: () => isReplay = true,
        });
        const id = String(response[kind.id] ?? Object.values(response)[0]);
        if (!isReplay || await this.#isFree(kind, id)) return id;
      } catch (error) {
        // the server stopped during the earlier request, and the installation does not have its object
        if (!(error instanceof ApiError) || error.reason !== "idempotency.unfinished") throw error;
      }
    }
  }

  /** Returns true if an object that was created earlier still exists, and nothing else of the installation is it. */
  async #isFree(kind: Kind, id: string): Promise<boolean> {
    if (idsOf(this.#before, kind).has(id)) return false;
    if (kind.find === undefined) return await this.#isListed(kind, id);
    try {
      return await this.#api.one(kind.find, { ...kind.constants, [kind.id!]: id }) !== undefined;
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return false;
      throw error;
    }
  }

  async #isListed(kind: Kind, id: string): Promise<boolean> {
    const ids = idsOf(await (this.#now ??= this.#read()), kind);
    if (ids.has(id)) return true;
    // ids grow, so an earlier reading tells of smaller ones
    if ([...ids].some((each) => Number(each) > Number(id))) return false;
    this.#now = this.#read();
    return idsOf(await this.#now, kind).has(id);
  }
}

function idsOf({ items }: Installation, { name }: Kind): ReadonlySet<string> {
  return new Set((items.get(name) ?? []).flatMap(({ id }) => id ?? []));
}

/** @param turn how often an object was created so and is gone */
function creationKey({ kind, label }: Wanted, request: Values, turn: number): string {
  const digest = createHash("sha256").update(JSON.stringify([kind.name, label, request, turn])).digest("hex");
  return `apply-${digest}`;
}
