/** A call of a client, with the times at which it began and ended. */
export interface Event<Action = unknown, Result = unknown> {
  readonly client: number;
  readonly action: Action;
  /** Undefined if the client knows no result: then the call may have happened, also later, or not. */
  readonly result: Result | undefined;
  readonly from: number;
  /** Infinity if there is no result. */
  readonly to: number;
}

/** Defines the results of calls that run one after the other. */
export interface Model<State, Action, Result> {
  readonly initial: State;
  /** Equal for equal states. */
  key(state: State): string;
  /** Returns the state after a call with a result, or undefined if the call cannot have the result in the state. */
  step(state: State, action: Action, result: Result | undefined): State | undefined;
}

/** Tells whether the first event must come before the second one. */
export type Order<Call> = (first: Call, second: Call) => boolean;

/** Orders calls as every client observes them: one that ended before another one began comes first. */
export const byTime: Order<Event> = (first, second) => first.to < second.from;

/**
 * Finds an order of the events, one after the other, that respects what must come first and in which the model gives
 * the same results: the search of Wing and Gong, which visits no set of events twice in one state.
 *
 * @returns undefined if there is no such order
 */
export function explain<State, Action, Result, Call extends Event<Action, Result>>(
  model: Model<State, Action, Result>,
  events: readonly Call[],
  precedes: Order<Call> = byTime,
): Call[] | undefined {
  const bits = events.map((_, index) => 1n << BigInt(index));
  const union = (include: (event: Call) => boolean) =>
    events.reduce((mask, event, index) => include(event) ? mask | bits[index]! : mask, 0n);
  const predecessors = events.map((event) => union((other) => other !== event && precedes(other, event)));
  const required = union(({ result }) => result !== undefined);
  const visited = new Set<string>();
  const order: Call[] = [];

  const search = (done: bigint, state: State): boolean => {
    if ((done & required) === required) return true;
    const key = `${done.toString(36)} ${model.key(state)}`;
    if (visited.has(key)) return false;
    visited.add(key);
    for (const [index, event] of events.entries()) {
      const isNext = (done & bits[index]!) === 0n && (predecessors[index]! & ~done) === 0n;
      const next = isNext ? model.step(state, event.action, event.result) : undefined;
      if (next === undefined) continue;
      order.push(event);
      if (search(done | bits[index]!, next)) return true;
      order.pop();
    }
    return false;
  };
  return search(0n, model.initial) ? order : undefined;
}
