import { type Call, distinct } from "edgehelm";
import type { AccessTokens } from "edgehelm/auth";
import { nextTurn } from "edgehelm/runtime";
import { ALL_ACTS } from "./acts.ts";
import type { UserAct, UserState, UserStateListener, UserStates, UserSuspension } from "./contract.ts";
import { errors } from "./errors.ts";
import type { StateChange, StateStore, UserRange } from "./store_states.ts";

/** The number of users that one statement of the job looks at, small enough not to block the event loop. */
const LOOK_BATCH = 1000;
/** The number of users whose change, with all that follows from it, is one transaction. */
const CHANGE_BATCH = 100;

const MAX_ID = 2n ** 63n - 1n;

/** The contributions of other plugins, which are complete after all have been set up. */
export interface StateContributions {
  readonly suspensions: readonly UserSuspension[];
  readonly listeners: readonly UserStateListener[];
}

/** Derives and stores the states of users, and says what they allow. */
export class StateRegistry implements UserStates {
  readonly #store: StateStore;
  readonly #acts: Readonly<Record<UserState, readonly UserAct[]>>;
  readonly #tokens: AccessTokens;
  readonly #contributions: StateContributions;

  constructor(
    store: StateStore,
    acts: Readonly<Record<UserState, readonly UserAct[]>>,
    tokens: AccessTokens,
    contributions: StateContributions,
  ) {
    this.#store = store;
    this.#acts = acts;
    this.#tokens = tokens;
    this.#contributions = contributions;
  }

  /** Returns true if the state allows the act. */
  allows(state: UserState, act: UserAct): boolean {
    return this.#acts[state].includes(act);
  }

  /** Returns true if the state allows every act. */
  allowsAll(state: UserState): boolean {
    return ALL_ACTS.every((act) => this.allows(state, act));
  }

  async states(call: Call, userIds: readonly bigint[]): Promise<ReadonlyMap<bigint, UserState>> {
    if (userIds.length === 0) return new Map();
    return new Map((await this.#store.ofIds.all(call, { ids: userIds })).map((row) => [row.id, row.userState]));
  }

  async allowed(call: Call, userIds: readonly bigint[], act: UserAct): Promise<ReadonlySet<bigint>> {
    if (userIds.length === 0) return new Set();
    const states = Object.entries(this.#acts).flatMap(([state, acts]) => acts.includes(act) ? [state] : []);
    return new Set((await this.#store.allowed.all(call, { ids: userIds, states })).map(({ id }) => id));
  }

  async require(call: Call, userId: bigint, act: UserAct): Promise<void> {
    const state = (await this.states(call, [userId])).get(userId);
    if (state === undefined) throw errors.not_found(userId);
    if (!this.allows(state, act)) throw errors.state_forbids(userId, state, act);
  }

  async derive(call: Call, userIds: readonly bigint[]): Promise<void> {
    const ids = distinct(userIds.filter((id) => id > 0n));
    for (let start = 0; start < ids.length; start += LOOK_BATCH) {
      await this.#deriveBatch(call, ids.slice(start, start + LOOK_BATCH));
    }
  }

  /** Derives the states of all users who are not deleted; the states of deleted ones are final. */
  async deriveAll(call: Call): Promise<void> {
    for (let after = 0n;;) {
      const end = await this.#store.endOfNext.first(call, { after, before: LOOK_BATCH - 1 });
      await this.#change(call, await this.#changingWithin(call, { first: after + 1n, last: end?.id ?? MAX_ID }));
      if (end === undefined) return;
      after = end.id;
      await nextTurn();
    }
  }

  /** Looks without a transaction, since few states change, and derives again in that of the change. */
  async #deriveBatch(call: Call, ids: readonly bigint[]): Promise<void> {
    await this.#change(call, await this.#changing(call, ids));
  }

  async #change(call: Call, changes: readonly StateChange[]): Promise<void> {
    const changing = changes.map(({ id }) => id);
    for (let start = 0; start < changing.length; start += CHANGE_BATCH) {
      const batch = changing.slice(start, start + CHANGE_BATCH);
      await call.transact(async (inner) => await this.#apply(inner, await this.#changing(inner, batch)));
    }
  }

  async #changing(call: Call, ids: readonly bigint[]): Promise<readonly StateChange[]> {
    if (ids.length === 0) return [];
    const overdue = await Promise.all(
      this.#contributions.suspensions.map((suspension) => suspension.overdue(call, ids)),
    );
    return await this.#store.changing.all(call, { ids, overdue: overdue.flatMap((found) => [...found]) });
  }

  async #changingWithin(call: Call, range: UserRange): Promise<readonly StateChange[]> {
    const overdue = await Promise.all(
      this.#contributions.suspensions.map((suspension) => suspension.overdueWithin(call, range.first, range.last)),
    );
    return await this.#store.changingWithin.all(call, { ...range, overdue: overdue.flatMap((found) => [...found]) });
  }

  async #apply(call: Call, changes: readonly StateChange[]): Promise<void> {
    for (const { id, after } of changes) await this.#store.set.defer(call, { id, userState: after });
    const known = changes.filter(({ before }) => before !== "");
    if (known.length === 0) return;
    // Others keep their tokens, which may now be used for more or for less.
    await this.#tokens.recheck(call);
    for (const { id, before, after } of known) {
      if (FINAL_FOR_TOKENS.has(after)) await this.#tokens.end(call, { role: "user", subjectId: id });
      for (const listener of this.#contributions.listeners) await listener.changed(call, id, after);
      call.log.info("user state changed", { userId: id, before, after });
    }
  }
}

/** The states that end tokens for good: they stay refused when the user returns. */
const FINAL_FOR_TOKENS: ReadonlySet<UserState> = new Set(["off", "rejected", "deleted"]);
