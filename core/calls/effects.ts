import { shownSecrets } from "./audit/secret_fields.ts";
import { fromBinary } from "@bufbuild/protobuf";
import { type Audit, isPerson } from "./audit/audit.ts";
import type { Call } from "../base/call.ts";
import { responseBytes } from "./encoded_messages.ts";
import { type Idempotency, type IdempotencyKey, isInProgress } from "./idempotency.ts";
import { KernelCall, kernelCall, transaction, type TransactionDeps } from "../storage/kernel_call.ts";
import { errorText } from "../base/log.ts";
import type { Operation } from "./operation.ts";
import type { RequestScope } from "../storage/request_scope.ts";
import type { StorageEngine } from "../storage/engine.ts";

/** The time that a request waits for an earlier one with the same idempotency key. */
const MAX_REPLAY_WAIT_MILLISECONDS = 3000;
const POLL_MILLISECONDS = 100;

/** Runs handlers according to the effect of their operation: read, write or external. */
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
    requestKey: IdempotencyKey | undefined,
  ): Promise<unknown> {
    // Anonymous callers share one identity; a key could replay another caller's response.
    const key = scope.caller.role === "anonymous" ? undefined : requestKey;
    switch (operation.effect) {
      case "read":
        return this.#recordSecrets(operation, scope, this.#read(operation, request, scope));
      case "write":
        return this.#write(operation, request, scope, key);
      case "external":
        return this.#recordSecrets(operation, scope, raceAbort(scope, this.#external(operation, request, scope, key)));
    }
  }

  /** Records the secrets that a response shows to a person, unless the call already has a record. */
  async #recordSecrets(operation: Operation, scope: RequestScope, running: Promise<unknown>): Promise<unknown> {
    const response = await running;
    if (scope.auditId !== undefined || operation.isEncoded || !isPerson(scope.caller)) return response;
    const objects = shownSecrets(operation.method.output, response);
    if (objects.length > 0) {
      await this.#transaction(scope, (call) => this.#audit.revealed(call, operation.path, objects));
    }
    return response;
  }

  async #read(operation: Operation, request: unknown, scope: RequestScope): Promise<unknown> {
    // Only admins and users may read from a replica. Nodes read what they were just notified of, perhaps by another
    // instance, so the replica may not have it yet.
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
    const recorded = { keepsChanges: isPerson(scope.caller), afterBegin: this.#begin };
    return this.#transaction(scope, async (call) => {
      if (key !== undefined) {
        const stored = await this.#idempotency.replayOrClaim(call, operation.path, key);
        if (stored !== undefined) return replayedResponse(operation, scope, stored);
      }
      const response = await operation.handler(request, call);
      // From here on, the handler can no longer write.
      const own = kernelCall(call).handOver();
      if (key !== undefined) {
        await this.#idempotency.finish(own, operation.path, key, responseBytes(operation, response));
      }
      await this.#audit.record(own, operation.path);
      return response;
    }, recorded);
  }

  /** Claims and finishes the key in transactions of their own, because the handler opens its own transactions. */
  async #external(
    operation: Operation,
    request: unknown,
    scope: RequestScope,
    key: IdempotencyKey | undefined,
  ): Promise<unknown> {
    if (key === undefined) return await this.#handleExternal(operation, request, scope);
    const stored = await this.#replayOrClaim(operation, scope, key);
    if (stored !== undefined) return replayedResponse(operation, scope, stored);
    const response = await this.#handleExternal(operation, request, scope, async () => {
      await this.#transaction(scope, (call) => this.#idempotency.release(call, operation.path, key));
    });
    const bytes = responseBytes(operation, response);
    await this.#transaction(scope, (call) => this.#idempotency.finish(call, operation.path, key, bytes));
    return response;
  }

  /** Waits a short time if the first request with the key is in progress, perhaps on another instance. */
  async #replayOrClaim(
    operation: Operation,
    scope: RequestScope,
    key: IdempotencyKey,
  ): Promise<Uint8Array | undefined> {
    const until = Math.min(scope.deadline, Date.now() + MAX_REPLAY_WAIT_MILLISECONDS);
    for (;;) {
      try {
        return await this.#transaction(scope, (call) => this.#idempotency.replayOrClaim(call, operation.path, key));
      } catch (error) {
        if (!isInProgress(error) || Date.now() + POLL_MILLISECONDS > until) throw error;
        await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
      }
    }
  }

  /** @param onUnchanged called if the handler fails before it committed anything */
  async #handleExternal(
    operation: Operation,
    request: unknown,
    scope: RequestScope,
    onUnchanged?: () => Promise<void>,
  ): Promise<unknown> {
    const call = this.externalCall(scope);
    try {
      return await operation.handler(request, call);
    } catch (error) {
      if (!call.hasCommitted) {
        await onUnchanged?.().catch((releaseError) =>
          scope.log.error("idempotency key not released", { error: String(releaseError) })
        );
      }
      throw error;
    } finally {
      call.end();
    }
  }

  /** Runs a streaming handler, which opens its own transactions. */
  async *stream(operation: Operation, input: unknown, scope: RequestScope): AsyncGenerator<unknown> {
    const call = this.externalCall(scope);
    // If the stream is cancelled, the handler's finally blocks may still use the call, which therefore ends after them.
    let returning: Promise<unknown> | undefined;
    try {
      const output = operation.handler(input, call);
      if (operation.method.methodKind === "client_streaming") {
        yield await raceAbort(scope, output as Promise<unknown>);
      } else yield* iterateUntilAbort(scope, output as AsyncIterable<unknown>, (returned) => returning = returned);
    } finally {
      if (returning === undefined) call.end();
      else void returning.finally(() => call.end());
    }
  }

  /** Creates a call for an external operation. Each of its transactions writes an audit record. */
  externalCall(scope: RequestScope): KernelCall {
    return new KernelCall(scope, this.#engine.reader, {
      engine: this.#engine,
      mayWrite: true,
      keepsChanges: isPerson(scope.caller),
      afterBegin: this.#begin,
      beforeCommit: (inner) => this.#audit.record(inner, scope.operation),
    });
  }

  readonly #begin = (call: Call) => this.#audit.begin(call);

  /** Runs a transaction, whose audit record its work has to write if it needs one. */
  #transaction<Result>(
    scope: RequestScope,
    work: (call: Call) => Promise<Result>,
    options: Partial<TransactionDeps> = {},
  ): Promise<Result> {
    return transaction(scope, { engine: this.#engine, mayWrite: true, ...options }, work);
  }
}

/** Returns a stored response in the form that the handler returned it. */
function replayedResponse({ isEncoded, method }: Operation, scope: RequestScope, bytes: Uint8Array): unknown {
  scope.isReplay = true;
  return isEncoded ? bytes : fromBinary(method.output, bytes);
}

/** @param onReturn called if the consumer stops early, with a promise for the end of the iterator */
async function* iterateUntilAbort(
  scope: RequestScope,
  items: AsyncIterable<unknown>,
  onReturn: (returned: Promise<unknown>) => void,
): AsyncGenerator<unknown> {
  const iterator = items[Symbol.asyncIterator]();
  let isDone = false;
  try {
    for (;;) {
      const next = await raceAbort(scope, iterator.next());
      if (next.done === true) {
        isDone = true;
        return;
      }
      yield next.value;
    }
  } finally {
    // Not awaited: a generator that hangs returns only when it resumes.
    if (!isDone) onReturn(returnIterator(scope, iterator));
  }
}

async function returnIterator({ log }: RequestScope, iterator: AsyncIterator<unknown>): Promise<void> {
  try {
    await iterator.return?.();
  } catch (error) {
    log.warn("stream cleanup failed", { error: errorText(error) });
  }
}

/** Waits for `work` until the request is cancelled. */
async function raceAbort<Result>({ signal }: RequestScope, work: Promise<Result>): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort);
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
