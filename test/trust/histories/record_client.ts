import type { Random } from "../../harness/random.ts";
import { WIRES } from "../../harness/wire.ts";
import { CallError } from "../../harness/call_error.ts";
import { NoResponse } from "../no_response.ts";
import { type Addresses, WireCaller } from "../wire_caller.ts";
import { callRecords } from "./record_calls.ts";
import { type Action, MISSING, TAKEN } from "./record_model.ts";
import type { InstanceEvent } from "./replica_order.ts";

const NAMES = ["a", "b", "c"];
const KINDS: readonly Action["kind"][] = [
  ...["create", "create", "create", "update", "update", "delete", "delete"] as const,
  ...["find", "findByName", "list", "count"] as const,
];
const MAX_WAIT_MILLISECONDS = 8;
/** The share of calls whose client goes away before the response, and of those the share that it repeats. */
const [ABANDONED, REPEATED] = [0.1, 0.6];
const MADE_TWICE = 0.1;

/** The data that the clients of a history share. */
export interface SharedHistory {
  readonly name: string;
  readonly nsDomainId: bigint;
  readonly events: InstanceEvent[];
  /** The ids that responses named. */
  readonly ids: Set<string>;
}

/** A client that makes one random call after the other, each over any wire, and writes down what happens. */
export class RecordClient {
  /** Repeated calls are those whose client went away and came back, abandoned ones those where it did not. */
  readonly figures = { calls: 0, repeated: 0, madeTwice: 0, abandoned: 0 };
  readonly #callers: readonly WireCaller[];
  readonly #index: number;
  readonly #instance: number;
  readonly #random: Random;

  /** @param instance the number of the instance with the addresses */
  constructor(addresses: Addresses, token: string, index: number, instance: number, random: Random) {
    this.#callers = WIRES.map((wire) => new WireCaller(addresses, token, wire));
    this.#index = index;
    this.#instance = instance;
    this.#random = random;
  }

  close(): void {
    for (const caller of this.#callers) caller.close();
  }

  async run(history: SharedHistory, calls: number): Promise<void> {
    for (let number = 0; number < calls; number++) {
      await this.#call(history, `${this.#index}-${number}`);
    }
  }

  async #call(history: SharedHistory, value: string): Promise<void> {
    const action = this.#nextAction(history, value);
    const key = `${history.name}-${value}`;
    this.figures.calls++;
    const from = performance.now();
    const results = await this.#resultsOf(history, action, key);
    const [client, instance] = [this.#index, this.#instance];
    for (const result of results) {
      const to = result === undefined ? Infinity : performance.now();
      history.events.push({ client, instance, action, result, from, to });
      if (action.kind === "count") continue;
      for (const [, id] of (result ?? "").matchAll(/(?:^|,)(\d+)(?=[:,]|$)/g)) history.ids.add(id!);
    }
  }

  /** Returns several results if the call happened more than once; undefined is one if the client goes away. */
  async #resultsOf(history: SharedHistory, action: Action, key: string): Promise<(string | undefined)[]> {
    const make = (caller: WireCaller, signal?: AbortSignal) =>
      callRecords(caller, history.nsDomainId, action, { key, ...signal !== undefined && { signal } });
    const draw = this.#random.next();
    const abandonment = new AbortController();
    // The model cannot name an object whose id no client knows.
    const isAbandoned = action.kind !== "create" && draw >= MADE_TWICE && draw < MADE_TWICE + ABANDONED;
    const wait = isAbandoned ? this.#random.next() * MAX_WAIT_MILLISECONDS : undefined;
    const timer = wait === undefined ? undefined : setTimeout(() => abandonment.abort(), wait);
    try {
      if (draw >= MADE_TWICE) return [await make(this.#random.oneOf(this.#callers), abandonment.signal)];
      this.figures.madeTwice++;
      const other = this.#random.below(this.#callers.length - 1);
      return distinctResults(action, await both([make(this.#callers.at(-1)!), make(this.#callers[other]!)]));
    } catch (error) {
      if (!isUnsure(error)) throw error;
    } finally {
      clearTimeout(timer);
    }
    while (action.kind === "create" || this.#random.next() < REPEATED) {
      this.figures.repeated++;
      try {
        const result = await make(this.#random.oneOf(this.#callers));
        // An error does not use the key up, so that the first attempt may still happen.
        return isRefusal(result) ? [result, undefined] : [result];
      } catch (error) {
        if (!isUnsure(error)) throw error;
      }
    }
    this.figures.abandoned++;
    return [undefined];
  }

  #nextAction({ ids }: SharedHistory, value: string): Action {
    const kind = this.#random.oneOf(KINDS);
    const [id, name] = [this.#random.oneOf([...ids].slice(-NAMES.length * 2)), this.#random.oneOf(NAMES)];
    switch (kind) {
      case "update":
        return id === undefined ? { kind: "create", name, value } : { kind, id, name, value };
      case "delete":
      case "find":
        return id === undefined ? { kind: "list" } : { kind, id };
      case "create":
        return { kind, name, value };
      case "findByName":
        return { kind, name };
      case "list":
      case "count":
        return { kind };
    }
  }
}

/** Returns true for errors that leave open whether the call happened. */
function isUnsure(error: unknown): boolean {
  return error instanceof NoResponse || error instanceof CallError && [503, 504].includes(error.code);
}

function isRefusal(result: string): boolean {
  return result === TAKEN || result === MISSING;
}

/** Waits for both, so that no call goes on after an error. */
async function both(calls: readonly Promise<string>[]): Promise<string[]> {
  await Promise.allSettled(calls);
  return await Promise.all(calls);
}

/** A write with one key happens once, but is tried again if it was refused. Reads happen each time. */
function distinctResults(action: Action, results: readonly string[]): string[] {
  const isWrite = action.kind === "create" || action.kind === "update" || action.kind === "delete";
  if (!isWrite) return [...results];
  const different = [...new Set(results)];
  const done = different.filter((result) => !isRefusal(result));
  if (done.length > 1) throw new Error(`${JSON.stringify(action)} happened twice, with the ids ${done}`);
  return different;
}
