import type { Call } from "../base/call.ts";
import type { Audit } from "../calls/audit/audit.ts";
import type { JobCall } from "../jobs/jobs.ts";
import type { StorageEngine } from "../storage/engine.ts";
import { KernelCall } from "../storage/kernel_call.ts";
import { RequestScope, type ScopeServices } from "../storage/request_scope.ts";

/** Creates the calls of the installation itself, whose caller has the role `system`. */
export class SystemCalls {
  readonly #engine: StorageEngine;
  readonly #services: ScopeServices;

  constructor(engine: StorageEngine, services: ScopeServices) {
    this.#engine = engine;
    this.#services = services;
  }

  /** Creates a call that may read and transact, with a deadline in unix milliseconds. */
  readonly system = (name: string, deadline?: number): Call =>
    new KernelCall(this.#scope(name, deadline), this.#engine.reader, { engine: this.#engine, mayWrite: true });

  /** Creates a call for a command of the operator. Each of its transactions writes an audit record. */
  readonly command = (name: string, audit: Audit): Call =>
    new KernelCall(this.#scope(name), this.#engine.reader, {
      engine: this.#engine,
      mayWrite: true,
      keepsChanges: true,
      afterBegin: (call) => audit.begin(call),
      beforeCommit: (call) => audit.record(call, name),
    });

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
    const scope = new RequestScope({ role: "anonymous" }, crypto.randomUUID(), deadline, name, this.#services, address);
    const call = new KernelCall(scope, this.#engine.reader, { engine: this.#engine, mayWrite: true });
    return { call, cancel: (reason) => scope.cancel(reason), end: () => void call.end() };
  };

  #scope(name: string, deadline = Infinity): RequestScope {
    return new RequestScope({ role: "system" }, crypto.randomUUID(), deadline, name, this.#services);
  }
}
