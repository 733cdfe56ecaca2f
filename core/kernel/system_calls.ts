import type { Call } from "../base/call.ts";
import type { Logger } from "../base/log.ts";
import type { JobCall } from "../jobs/jobs.ts";
import type { StorageEngine } from "../storage/engine.ts";
import { KernelCall } from "../storage/kernel_call.ts";
import { RequestScope } from "../storage/request_scope.ts";

/** Creates the calls of the installation itself, whose caller has the role `system`. */
export class SystemCalls {
  readonly #engine: StorageEngine;
  readonly #log: Logger;

  constructor(engine: StorageEngine, log: Logger) {
    this.#engine = engine;
    this.#log = log;
  }

  /** Creates a call that may read and transact, with a deadline in unix milliseconds. */
  readonly system = (name: string, deadline?: number): Call =>
    new KernelCall(this.#scope(name, deadline), this.#engine.reader, { engine: this.#engine, mayWrite: true });

  /** Authentication precedes every call, including those that only read, so it must not write. */
  readonly authentication = (deadline?: number): Call =>
    new KernelCall(this.#scope("authentication", deadline), this.#engine.reader, {
      engine: this.#engine,
      mayWrite: false,
    });

  /** Creates a call for a job. `beforeCommit` runs inside each of its transactions and prevents the COMMIT by throwing. */
  readonly job = (name: string, beforeCommit: (call: Call) => Promise<void>): JobCall => {
    const scope = this.#scope(name);
    const call = new KernelCall(scope, this.#engine.reader, { engine: this.#engine, mayWrite: true, beforeCommit });
    return { call, cancel: (reason) => scope.cancel(reason), end: () => void call.end() };
  };

  /** Creates an anonymous call for a request that is no operation, from an address. */
  readonly received = (name: string, deadline: number, address: string | undefined): JobCall => {
    const scope = new RequestScope({ role: "anonymous" }, crypto.randomUUID(), deadline, name, this.#log, address);
    const call = new KernelCall(scope, this.#engine.reader, { engine: this.#engine, mayWrite: true });
    return { call, cancel: (reason) => scope.cancel(reason), end: () => void call.end() };
  };

  #scope(name: string, deadline = Infinity): RequestScope {
    return new RequestScope({ role: "system" }, crypto.randomUUID(), deadline, name, this.#log);
  }
}
