import { type Caller, callerId } from "../base/call.ts";
import { kernelErrors } from "../base/errors.ts";
import type { Limits } from "../base/limits.ts";

/** Identifies a caller within its role: an id, or the address of an anonymous caller. */
type Key = bigint | string;

/** Limits the calls in flight, in total and for each caller, across all tokens and protocols. */
export class CallCounts {
  readonly #limits: Pick<Limits, "calls" | "callsPerKey">;
  readonly #byRole = new Map<Caller["role"], Map<Key, number>>();

  constructor(limits: Pick<Limits, "calls" | "callsPerKey">) {
    this.#limits = limits;
  }

  /** @throws RpcError unavailable if more calls are in flight than the limit `calls` allows */
  requireCapacity(inFlight: number): void {
    const { calls } = this.#limits;
    if (inFlight > calls) throw kernelErrors.unavailable(`${calls} calls are in flight already`).retryAfter(1);
  }

  /** @throws RpcError exhausted if this caller has reached the limit `callsPerKey` */
  enter(caller: Caller, remoteAddress: string | undefined): void {
    const { role } = caller;
    let counts = this.#byRole.get(role);
    if (counts === undefined) this.#byRole.set(role, counts = new Map());
    const key = keyOf(caller, remoteAddress);
    const count = counts.get(key) ?? 0;
    const { callsPerKey } = this.#limits;
    if (count >= callsPerKey) throw kernelErrors.too_many_calls(callsPerKey).retryAfter(1);
    counts.set(key, count + 1);
  }

  leave(caller: Caller, remoteAddress: string | undefined): void {
    const counts = this.#byRole.get(caller.role)!;
    const key = keyOf(caller, remoteAddress);
    const count = counts.get(key)!;
    if (count === 1) counts.delete(key);
    else counts.set(key, count - 1);
  }

  /** The number of callers with calls in flight. */
  get callers(): number {
    return this.#byRole.values().reduce((sum, { size }) => sum + size, 0);
  }
}

function keyOf(caller: Caller, remoteAddress: string | undefined): Key {
  return caller.role === "anonymous" ? remoteAddress ?? "" : callerId(caller);
}
