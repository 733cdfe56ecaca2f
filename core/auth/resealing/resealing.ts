import type { Call } from "../../base/call.ts";
import { type Clock, unixSeconds } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import type { Db } from "../../storage/database.ts";
import type { KernelTables } from "../../storage/kernel_tables.ts";
import type { KeyRotation } from "../key_rotation.ts";
import { beginning, type ResealingState, ResealingStates } from "./resealing_state.ts";
import type { SealedColumn } from "./sealed_column.ts";
import { SealedValues } from "./sealed_values.ts";

/**
 * The seconds between the two passes. By then no instance seals with an earlier key, and the responses to requests with
 * an idempotency key, which are kept for a day, have expired.
 */
const CHECK_AFTER = 25 * 3600;

export interface ResealingDeps {
  readonly db: Db<KernelTables>;
  readonly columns: readonly SealedColumn[];
  readonly rotation: KeyRotation;
  /** Returns why values may remain under an earlier key that no declared column contains. */
  readonly hidden: (call: Call) => Promise<readonly string[]>;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Seals the values under earlier installation keys again under the current one, in small transactions, and forgets the
 * earlier keys when a later pass finds no value under them. A value is readable at any moment: the earlier keys remain
 * until then, and a value is replaced only if it is still the one that was read.
 */
export class Resealing {
  readonly #deps: ResealingDeps;
  readonly #states: ResealingStates;
  readonly #columns: readonly SealedValues[];

  constructor(deps: ResealingDeps) {
    this.#deps = deps;
    this.#states = new ResealingStates(deps.db);
    this.#columns = deps.columns.map((column) => new SealedValues(column))
      .sort((a, b) => a.name < b.name ? -1 : 1);
  }

  /** Continues where the last run ended. */
  async run(call: Call): Promise<void> {
    const { rotation: { ring }, clock, log } = this.#deps;
    if (ring.earlier.length === 0) return;
    const now = Number(unixSeconds(clock));
    const stored = await this.#states.find(call);
    let state = stored?.keyId === ring.current.id ? stored : beginning(ring.current.id, now);
    if (state.isComplete && now < state.since + CHECK_AFTER) return;
    if (state.isComplete) state = beginning(ring.current.id, now, state);
    for (const column of this.#columns) {
      if (column.name < state.at) continue;
      if (column.name !== state.at) state = { ...state, at: column.name, after: "0" };
      for (let hasMore = true; hasMore;) {
        if (call.signal.aborted) return;
        [state, hasMore] = await this.#batch(call, column, state);
      }
    }
    state = { ...state, isComplete: true };
    await call.transact((inner) => this.#complete(inner, state));
    const { resealed, unreadable } = state;
    if (unreadable > 0) log.error("values under an earlier installation key cannot be opened", { unreadable });
    else log.info("installation key: values sealed again", { resealed });
  }

  /** Returns lines for the operator. */
  async status(call: Call): Promise<string[]> {
    const { rotation: { ring } } = this.#deps;
    const lines = [`the installation key is ${ring.current.id}`];
    if (ring.earlier.length === 0) return [...lines, "no value is encrypted with an earlier key"];
    lines.push(`earlier keys: ${ring.earlier.map(({ id }) => id).join(", ")}`);
    const state = await this.#states.find(call);
    if (state?.keyId !== ring.current.id) return [...lines, "encrypting values with the current key begins shortly"];
    lines.push(`${state.resealed} values were encrypted again, ${state.unreadable} cannot be read`);
    if (!state.isComplete) {
      const done = this.#columns.filter(({ name }) => name < state.at).length;
      return [...lines, `columns done: ${done} of ${this.#columns.length}, now ${state.at} after row ${state.after}`];
    }
    const checkAt = new Date((state.since + CHECK_AFTER) * 1000).toISOString();
    lines.push(
      `all columns are done; a check follows at ${checkAt}, which drops the earlier keys if it finds no value`,
    );
    return [...lines, ...(await this.#obstacles(call)).map((text) => `the earlier keys are kept: ${text}`)];
  }

  async #batch(call: Call, column: SealedValues, state: ResealingState): Promise<[ResealingState, boolean]> {
    const { ring } = this.#deps.rotation;
    const earlier = new Set(ring.earlier.map(({ id }) => id));
    const { values, last } = await column.read(call, BigInt(state.after), ring, earlier);
    const unreadable = values.filter(({ next }) => next === undefined).length;
    const next = {
      ...state,
      after: String(last ?? state.after),
      resealed: state.resealed + values.length - unreadable,
      found: state.found + values.length,
      unreadable: state.unreadable + unreadable,
    };
    await call.transact(async (inner) => {
      for (const value of values) await column.replace(inner, value);
      await this.#states.set(inner, next);
    });
    return [next, last !== undefined];
  }

  async #complete(call: Call, state: ResealingState): Promise<void> {
    if (state.isCheck && state.found === 0 && (await this.#obstacles(call)).length === 0) {
      await this.#deps.rotation.dropEarlier(call);
      await this.#states.remove(call);
    } else await this.#states.set(call, state);
  }

  async #obstacles(call: Call): Promise<readonly string[]> {
    const isUnfinished = await this.#deps.rotation.isUnfinished(call);
    const unfinished = isUnfinished ? ["the rotation is not finished: run keys finish-installation"] : [];
    return [...unfinished, ...await this.#deps.hidden(call)];
  }
}
