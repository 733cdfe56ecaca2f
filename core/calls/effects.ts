import { fromBinary } from "@bufbuild/protobuf";
import type { Audit } from "./audit.ts";
import type { Call } from "../base/call.ts";
import { responseBytes } from "./encoded_messages.ts";
import { type Idempotency, type IdempotencyKey, isUnderWay } from "./idempotency.ts";
import { KernelCall, transaction } from "../storage/kernel_call.ts";
import { errorText } from "../base/log.ts";
import type { Operation } from "./operation.ts";
import type { RequestScope } from "../storage/request_scope.ts";
import type { StorageEngine } from "../storage/engine.ts";

/** How long a request waits for the answer to an earlier one with its idempotency key, and how often it looks. */
const UNDER_WAY_MILLISECONDS = 3000;
const PAUSE_MILLISECONDS = 100;

/** Runs a handler in the surroundings that its operation's effect asks for. */
export class Effects {
  readonly #engine: StorageEngine;
  readonly #audit: Audit;
  readonly #idempotency: Idempotency;

  constructor(engine: StorageEngine, audit: Audit, idempotency: Idempotency) {
    this.#engine = engine;
    this.#audit = audit;
    this.#idempotency = idempotency;
  }

  run(
    operation: Operation,
    request: unknown,
    scope: RequestScope,
    givenKey: IdempotencyKey | undefined,
  ): Promise<unknown> {
    // Strangers would share their keys, and be given what was answered to others.
    const key = scope.caller.role === "anonymous" ? undefined : givenKey;
    switch (operation.effect) {
      case "read":
        return this.#read(operation, request, scope);
      case "write":
        return this.#write(operation, request, scope, key);
      case "external":
        return raceAbort(scope, this.#external(operation, request, scope, key));
    }
  }

  async #read(operation: Operation, request: unknown, scope: RequestScope): Promise<unknown> {
    // nodes ask for what they were just told of, perhaps by another instance
    const { role } = scope.caller;
    const reads = this.#engine.beginReads?.(role === "admin" || role === "user");
    const call = new KernelCall(scope, reads ?? this.#engine.reader, { engine: this.#engine, mayWrite: false });
    try {
      return await operation.handler(request, call);
    } finally {
      call.end();
      reads?.end();
    }
  }

  #write(
    operation: Operation,
    request: unknown,
    scope: RequestScope,
    key: IdempotencyKey | undefined,
  ): Promise<unknown> {
    return this.#transaction(scope, async (call) => {
      if (key !== undefined) {
        const replayed = await this.#idempotency.replayOrClaim(call, operation.path, key);
        if (replayed !== undefined) return replayedResponse(operation, replayed);
      }
      const response = await operation.handler(request, call);
      if (key !== undefined) {
        await this.#idempotency.finish(call, operation.path, key, responseBytes(operation, response));
      }
      await this.#audit.record(call, operation.path);
      return response;
    });
  }

  /** The key is claimed and finished around the handler, since its own transactions come somewhere in between. */
  async #external(
    operation: Operation,
    request: unknown,
    scope: RequestScope,
    key: IdempotencyKey | undefined,
  ): Promise<unknown> {
    if (key === undefined) return await this.#handleExternal(operation, request, scope);
    const replayed = await this.#replayOrClaim(operation, scope, key);
    if (replayed !== undefined) return replayedResponse(operation, replayed);
    const response = await this.#handleExternal(operation, request, scope, async () => {
      await this.#transaction(scope, (call) => this.#idempotency.release(call, operation.path, key));
    });
    const bytes = responseBytes(operation, response);
    await this.#transaction(scope, (call) => this.#idempotency.finish(call, operation.path, key, bytes));
    return response;
  }

  /** Waits a little for the first request with the key, which another instance may be at. */
  async #replayOrClaim(
    operation: Operation,
    scope: RequestScope,
    key: IdempotencyKey,
  ): Promise<Uint8Array | undefined> {
    const until = Math.min(scope.deadline, Date.now() + UNDER_WAY_MILLISECONDS);
    for (;;) {
      try {
        return await this.#transaction(scope, (call) => this.#idempotency.replayOrClaim(call, operation.path, key));
      } catch (error) {
        if (!isUnderWay(error) || Date.now() + PAUSE_MILLISECONDS > until) throw error;
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
      }
    }
  }

  /** @param undone runs after a failure that left nothing in the database */
  async #handleExternal(
    operation: Operation,
    request: unknown,
    scope: RequestScope,
    undone?: () => Promise<void>,
  ): Promise<unknown> {
    const call = this.externalCall(scope);
    try {
      return await operation.handler(request, call);
    } catch (error) {
      if (!call.hasCommitted) {
        await undone?.().catch((fault) => scope.log.error("a key is not given back", { error: String(fault) }));
      }
      throw error;
    } finally {
      call.end();
    }
  }

  /** Runs a streaming handler; it transacts piece by piece. */
  async *stream(operation: Operation, input: unknown, scope: RequestScope): AsyncGenerator<unknown> {
    const call = this.externalCall(scope);
    // A handler that is left alone still marks what it must in its own finally; its call lives until then.
    let leaving: Promise<unknown> | undefined;
    try {
      const output = operation.handler(input, call);
      if (operation.method.methodKind === "client_streaming") {
        yield await raceAbort(scope, output as Promise<unknown>);
      } else yield* eachWhileWanted(scope, output as AsyncIterable<unknown>, (left) => leaving = left);
    } finally {
      if (leaving === undefined) call.end();
      else void leaving.finally(() => call.end());
    }
  }

  /** A call that reads, and writes through call.transact, each transaction with its audit record. */
  externalCall(scope: RequestScope): KernelCall {
    return new KernelCall(scope, this.#engine.reader, {
      engine: this.#engine,
      mayWrite: true,
      beforeCommit: (inner) => this.#audit.record(inner, scope.operation),
    });
  }

  /** A transaction of the kernel's own, without an audit record. */
  #transaction<Result>(scope: RequestScope, work: (call: Call) => Promise<Result>): Promise<Result> {
    return transaction(scope, { engine: this.#engine, mayWrite: true }, work);
  }
}

/** An answer that was kept, as the handler gave it. */
function replayedResponse({ isEncoded, method }: Operation, kept: Uint8Array): unknown {
  return isEncoded ? kept : fromBinary(method.output, kept);
}

/** @param leave is told how the items end when nobody wants more of them */
async function* eachWhileWanted(
  scope: RequestScope,
  items: AsyncIterable<unknown>,
  leave: (left: Promise<unknown>) => void,
): AsyncGenerator<unknown> {
  const iterator = items[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (;;) {
      const next = await raceAbort(scope, iterator.next());
      if (next.done === true) {
        isOver = true;
        return;
      }
      yield next.value;
    }
  } finally {
    // Not awaited: a generator that hangs would answer only when it goes on.
    if (!isOver) leave(returnIterator(scope, iterator));
  }
}

async function returnIterator({ log }: RequestScope, iterator: AsyncIterator<unknown>): Promise<void> {
  try {
    await iterator.return?.();
  } catch (error) {
    log.warn("a stream did not end well", { error: errorText(error) });
  }
}

/** Waits for outside work no longer than its caller does. */
async function raceAbort<Result>({ signal }: RequestScope, work: Promise<Result>): Promise<Result> {
  const ended = Promise.withResolvers<never>();
  const end = () => ended.reject(signal.reason);
  if (signal.aborted) end();
  else signal.addEventListener("abort", end);
  try {
    return await Promise.race([work, ended.promise]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}
