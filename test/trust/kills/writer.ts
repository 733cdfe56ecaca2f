import type { Random } from "../../harness/random.ts";
import { WIRES } from "../../harness/wire.ts";
import type { Server } from "../../harness/server.ts";
import { NoResponse } from "../no_response.ts";
import { WireCaller } from "../wire_caller.ts";
import type { Figures } from "./figures.ts";
import type { Kind } from "./kinds.ts";

const MAX_OBJECTS = 40;
const REPEATED_AT_ONCE = 0.05;

/** An object as its writer knows it. */
export interface Item {
  readonly kind: Kind;
  readonly label: string;
  id: bigint;
  /** The acknowledged text; undefined before the object is created and after it is deleted. */
  text: string | undefined;
}

/** A change of an object, which keeps its idempotency key when it is repeated. */
export interface Change {
  readonly item: Item;
  readonly key: string;
  /** The text after the change; undefined if the change deletes the object. */
  readonly next: string | undefined;
  readonly kind: "created" | "updated" | "deleted";
}

/** A client that makes one change after the other to objects of its own, each over any wire. */
export class Writer {
  /** The objects that were created and not deleted. */
  readonly items = new Set<Item>();
  /** The change that has no response. */
  pending: Change | undefined;
  /** The number of acknowledged changes of each kind. */
  readonly acknowledged = new Map<Kind, number>();
  /** The last change that was acknowledged. */
  last: Change | undefined;
  readonly #name: string;
  readonly #kinds: readonly Kind[];
  readonly #random: Random;
  readonly #figures: Figures;
  #callers: readonly WireCaller[] = [];
  #changes = 0;

  constructor(name: string, kinds: readonly Kind[], random: Random, figures: Figures) {
    this.#name = name;
    this.#kinds = kinds;
    this.#random = random;
    this.#figures = figures;
  }

  connect(server: Server, token: string): void {
    this.#callers = WIRES.map((wire) => new WireCaller(server, token, wire));
  }

  disconnect(): void {
    for (const caller of this.#callers) caller.close();
  }

  /** Makes changes until one has no response. Throws if one fails. */
  async writeUntilKilled(): Promise<void> {
    try {
      for (;;) await this.write();
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error;
    }
  }

  /** Repeats the change without a response, and the last one with a response, with their keys. */
  async repeat(): Promise<void> {
    for (const change of [this.last, this.pending]) {
      if (change === undefined) continue;
      await this.#make(change, this.#random.below(WIRES.length));
      this.#figures.changes.repeated++;
    }
    if (this.pending !== undefined) this.#acknowledge(this.pending);
  }

  /** Makes one change, or makes the one without a response again. */
  async write(): Promise<void> {
    if (this.pending !== undefined) {
      await this.#make(this.pending, this.#random.below(WIRES.length));
      this.#figures.changes.repeated++;
      return this.#acknowledge(this.pending);
    }
    const change = this.#nextChange();
    this.pending = change;
    const wire = this.#random.below(WIRES.length);
    if (this.#random.next() < REPEATED_AT_ONCE) await this.#makeTwice(change, wire);
    else await this.#make(change, wire);
    this.#acknowledge(change);
    this.#figures.acknowledged[WIRES[wire]!]++;
  }

  /** Makes a change over two wires at once. It is acknowledged by the first response. */
  async #makeTwice(change: Change, wire: number): Promise<void> {
    const other = (wire + 1 + this.#random.below(WIRES.length - 1)) % WIRES.length;
    const outcomes = await Promise.allSettled([this.#make(change, wire), this.#make(change, other)]);
    const reasons = outcomes.flatMap((outcome) => outcome.status === "rejected" ? [outcome.reason] : []);
    const error = reasons.find((reason) => !(reason instanceof NoResponse));
    if (error !== undefined) throw error;
    if (reasons.length === outcomes.length) throw reasons[0];
    if (reasons.length === 0) this.#figures.changes.repeatedAtOnce++;
  }

  #nextChange(): Change {
    const key = `${this.#name}-${this.#changes++}`;
    const changeable = [...this.items].filter(({ kind }) => kind.changes !== undefined);
    const draw = this.#random.next() * 3;
    if (changeable.length === 0 || draw < 1 && changeable.length < MAX_OBJECTS) {
      const item = { kind: this.#random.oneOf(this.#kinds), label: key, id: 0n, text: undefined };
      return { item, key, next: `${key}=0`, kind: "created" };
    }
    const item = this.#random.oneOf(changeable);
    if (draw < 2) return { item, key, next: `${item.label}=${this.#changes}`, kind: "updated" };
    return { item, key, next: undefined, kind: "deleted" };
  }

  async #make({ item, key, next, kind }: Change, wire: number): Promise<void> {
    const caller = this.#callers[wire]!;
    if (kind === "updated") return void await item.kind.changes!.update(caller, item.id, next!, key);
    if (kind === "deleted") return void await item.kind.changes!.remove(caller, item.id, key);
    const id = await item.kind.create(caller, next!, key);
    if (item.id !== 0n && item.id !== id) {
      throw new Error(`${item.kind.name} ${item.label} has ids ${item.id} and ${id}`);
    }
    item.id = id;
  }

  #acknowledge(change: Change): void {
    const { item, next, kind } = change;
    item.text = next;
    if (next === undefined) this.items.delete(item);
    else this.items.add(item);
    this.pending = undefined;
    this.last = change;
    this.acknowledged.set(item.kind, (this.acknowledged.get(item.kind) ?? 0) + 1);
    this.#figures.acknowledged.acknowledged++;
    this.#figures.changes[kind]++;
  }
}
