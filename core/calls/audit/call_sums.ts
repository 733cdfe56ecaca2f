import { unixSeconds } from "../../base/clock.ts";
import type { Clock } from "../../base/clock.ts";
import type { NewRecord } from "./chained_records.ts";

/** The maximum number of different sums of a minute. Calls beyond it are summed by role, operation and reason. */
const MAX_SUMS = 200;
const MAX_COARSE_SUMS = 200;

/** A call that is summed up instead of recorded. */
export interface SummedCall {
  readonly role: string;
  readonly callerId: bigint;
  readonly keyId: string;
  readonly address: string;
  readonly operation: string;
  readonly code: number;
  /** The reason of the error; empty for a read of a node. */
  readonly reason: string;
}

interface Sum extends SummedCall {
  count: bigint;
}

/** Counts refused calls, and reads of nodes, by caller, address, operation and reason. Nothing is written per call. */
export class CallSums {
  #sums = new Map<string, Sum>();
  #coarse = new Map<string, Sum>();

  add(call: SummedCall): void {
    const { role, callerId, keyId, address, operation, code, reason } = call;
    const key = `${role} ${callerId} ${keyId} ${address} ${operation} ${reason}`;
    const known = this.#sums.get(key);
    if (known !== undefined) known.count++;
    else if (this.#sums.size < MAX_SUMS) this.#sums.set(key, { ...call, count: 1n });
    else this.#addCoarse({ role, callerId: 0n, keyId: "", address: "", operation, code, reason });
  }

  #addCoarse(call: SummedCall): void {
    const isFull = this.#coarse.size >= MAX_COARSE_SUMS;
    const counted = isFull ? { ...call, operation: "", reason: "" } : call;
    const key = `${counted.role} ${counted.operation} ${counted.reason}`;
    const known = this.#coarse.get(key);
    if (known !== undefined) known.count++;
    else this.#coarse.set(key, { ...counted, count: 1n });
  }

  /** Returns the records of what was counted since the last time, and counts from zero. */
  take(clock: Clock): NewRecord[] {
    const sums = [...this.#sums.values(), ...this.#coarse.values()];
    this.#sums = new Map();
    this.#coarse = new Map();
    const createdAt = unixSeconds(clock);
    return sums.map(({ code, ...sum }) => ({
      ...sum,
      createdAt,
      code: BigInt(code),
      requestId: "",
      callerRequestId: "",
      objects: "",
      changesJSON: "",
    }));
  }
}
