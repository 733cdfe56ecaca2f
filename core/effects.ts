import { create, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import type { Audit } from "./audit.ts";
import type { Call } from "./call.ts";
import { kernelErrors } from "./errors.ts";
import type { Idempotency, IdempotencyKey } from "./idempotency.ts";
import { KernelCall, transaction } from "./kernel_call.ts";
import type { Operation } from "./operation.ts";
import type { RequestScope } from "./request_scope.ts";
import type { StorageEngine } from "./storage/engine.ts";

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

  run(operation: Operation, request: unknown, scope: RequestScope, key: IdempotencyKey | undefined): Promise<unknown> {
    switch (operation.effect) {
      case "read":
        return this.#read(operation, request, scope);
      case "write":
        return this.#write(operation, request, scope, key);
      case "external":
        return beforeDeadline(scope, this.#external(operation, request, scope, key));
    }
  }

  async #read(operation: Operation, request: unknown, scope: RequestScope): Promise<unknown> {
    const call = new KernelCall(scope, this.#engine.reader, { engine: this.#engine, mayWrite: false });
    try {
      return await operation.handler(request, call);
    } finally {
      call.end();
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
        if (replayed !== undefined) return fromBinary(operation.method.output, replayed);
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
    const replayed = await this.#transaction(
      scope,
      (call) => this.#idempotency.replayOrClaim(call, operation.path, key),
    );
    if (replayed !== undefined) return fromBinary(operation.method.output, replayed);
    try {
      const response = await this.#handleExternal(operation, request, scope);
      const bytes = responseBytes(operation, response);
      await this.#transaction(scope, (call) => this.#idempotency.finish(call, operation.path, key, bytes));
      return response;
    } catch (error) {
      await this.#transaction(scope, (call) => this.#idempotency.release(call, operation.path, key));
      throw error;
    }
  }

  async #handleExternal(operation: Operation, request: unknown, scope: RequestScope): Promise<unknown> {
    const call = this.externalCall(scope);
    try {
      return await operation.handler(request, call);
    } finally {
      call.end();
    }
  }

  /** Runs a streaming handler; it transacts piece by piece. */
  async *stream(operation: Operation, input: unknown, scope: RequestScope): AsyncGenerator<unknown> {
    const call = this.externalCall(scope);
    try {
      const output = operation.handler(input, call);
      if (operation.method.methodKind === "client_streaming") yield await output;
      else yield* output as AsyncIterable<unknown>;
    } finally {
      call.end();
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

function responseBytes(operation: Operation, response: unknown): Uint8Array {
  return toBinary(operation.method.output, create(operation.method.output, response as Message));
}

/** Answers at the deadline even when outside work does not. */
async function beforeDeadline<Result>(scope: RequestScope, work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const error = kernelErrors.deadline(scope.operation);
      scope.cancel(error);
      reject(error);
    }, Math.max(0, scope.deadline - Date.now()));
  });
  try {
    return await Promise.race([work, expired]);
  } finally {
    clearTimeout(timer);
  }
}
