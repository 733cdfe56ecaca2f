import type { Authenticator } from "../auth/authenticator.ts";
import { type Caller, callerId } from "../base/call.ts";
import { isMachine, keyOf } from "./audit/audit.ts";
import type { CallSums } from "./audit/call_sums.ts";
import type { CallCounts } from "./call_counts.ts";
import type { DecodedRequest } from "./decoded_request.ts";
import type { Clock } from "../base/clock.ts";
import type { Effects } from "./effects.ts";
import { requireValidMessage } from "./encoded_messages.ts";
import { ERROR_CODES, kernelErrors, RpcError } from "../base/errors.ts";
import { requirePermitted } from "../base/key_restriction.ts";
import { errorText, type Logger } from "../base/log.ts";
import type { Metrics } from "../base/metrics.ts";
import type { Outbound } from "../base/outbound.ts";
import { type Operation, requireAllowed } from "./operation.ts";
import { emptyNullJson } from "./null_json.ts";
import { type RequestRules, requireWithinRules, requireWithinRulesEach } from "./request_rules.ts";
import type { FieldSource } from "../net/metadata/call_metadata.ts";
import { RequestScope } from "../storage/request_scope.ts";

/** The part of a call that its transport knows before it reads the request. */
export interface CallMetadata extends FieldSource {
  readonly token: string | undefined;
  readonly requestId: string;
  /** The client's address; behind a proxy, the one that the proxy forwards. */
  readonly remoteAddress?: string | undefined;
  /** The client's deadline in unix milliseconds. The installation's own limit applies as well. */
  readonly deadline?: number | undefined;
  /** Called when the call is admitted, with the scope that the transport cancels if the client disconnects. */
  readonly onScope?: ((scope: RequestScope) => void) | undefined;
}

export interface DispatchDeps {
  readonly authenticator: Authenticator;
  readonly effects: Effects;
  readonly clock: Clock;
  readonly log: Logger;
  readonly outbound: Outbound;
  readonly metrics: Metrics;
  readonly counts: CallCounts;
  readonly sums: CallSums;
  readonly rules: RequestRules;
  /** The maximum duration of a unary call. */
  readonly callMilliseconds: number;
}

/** A call in flight. */
interface RunningCall {
  readonly operation: Operation;
  readonly metadata: CallMetadata;
  readonly startedAt: number;
  caller: Caller;
  code: number;
  /** The reason of the error; empty without one. */
  reason: string;
  scope: RequestScope | undefined;
  /** True once it counts against its caller's limit. */
  isCounted: boolean;
}

/** Runs the calls of every transport: authenticates, authorizes, decodes, runs and encodes them, and logs one line. */
export class Dispatch {
  readonly #deps: DispatchDeps;
  readonly #streams = new Set<RequestScope>();
  #endReason: RpcError | undefined;
  #inFlight = 0;
  #onIdle: (() => void) | undefined;

  constructor(deps: DispatchDeps) {
    this.#deps = deps;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /**
   * Runs one unary call.
   *
   * @param decode reads the request; called only if the caller may call the operation
   * @param encode serializes the response
   * @throws RpcError, and no other error
   */
  async call<Wire>(
    operation: Operation,
    metadata: CallMetadata,
    decode: () => DecodedRequest | Promise<DecodedRequest>,
    encode: (response: unknown) => Wire,
  ): Promise<Wire> {
    const running = this.#begin(operation, metadata);
    try {
      // Uses the system time instead of the clock, because timers do.
      const limit = Date.now() + this.#deps.callMilliseconds;
      const admitted = this.#admit(running, Math.min(metadata.deadline ?? limit, limit));
      const scope = admitted instanceof Promise ? await admitted : admitted;
      const decoding = decode();
      const { request, idempotencyKey } = decoding instanceof Promise ? await decoding : decoding;
      if (operation.isEncoded) requireValidMessage(operation, request as Uint8Array, this.#deps.rules);
      else {
        requireWithinRules(request, this.#deps.rules);
        emptyNullJson(operation.method.input, request);
      }
      return encode(await this.#deps.effects.run(operation, request, scope, idempotencyKey));
    } catch (thrown) {
      throw this.#fail(running, thrown);
    } finally {
      this.#end(running);
    }
  }

  /**
   * Runs one streaming call. The single response of a client stream is yielded as the only item.
   *
   * @param input the request, or an async iterable of the requests of a client or bidirectional stream
   * @throws RpcError, and no other error
   */
  async *stream(operation: Operation, metadata: CallMetadata, input: unknown): AsyncGenerator<unknown> {
    const running = this.#begin(operation, metadata);
    let stopWatching: (() => void) | undefined;
    try {
      const scope = await this.#admit(running, metadata.deadline ?? Infinity);
      if (scope.caller.role !== "anonymous") {
        stopWatching = this.#deps.authenticator.watch(
          metadata.token!,
          (caller) => this.#requireAdmitted(operation, caller, metadata),
          (reason) => scope.cancel(reason),
        );
      }
      if (this.#endReason !== undefined) throw this.#endReason;
      this.#streams.add(scope);
      yield* this.#deps.effects.stream(operation, requireWithinRulesEach(operation, input, this.#deps.rules), scope);
    } catch (thrown) {
      throw this.#fail(running, thrown);
    } finally {
      stopWatching?.();
      this.#end(running);
    }
  }

  #begin(operation: Operation, metadata: CallMetadata): RunningCall {
    this.#inFlight++;
    const startedAt = this.#deps.clock.now();
    return {
      operation,
      metadata,
      startedAt,
      caller: ANONYMOUS,
      code: 200,
      reason: "",
      scope: undefined,
      isCounted: false,
    };
  }

  /** Authenticates and authorizes the caller, and opens the scope of the call. */
  #admit(running: RunningCall, deadline: number): RequestScope | Promise<RequestScope> {
    const { operation, metadata } = running;
    this.#deps.counts.requireCapacity(this.#inFlight);
    if (operation.roles.has("anonymous")) return this.#open(running, ANONYMOUS, deadline);
    const caller = this.#deps.authenticator.authenticate(metadata.token);
    if (caller instanceof Promise) return caller.then((caller) => this.#open(running, caller, deadline));
    return this.#open(running, caller, deadline);
  }

  #open(running: RunningCall, caller: Caller, deadline: number): RequestScope {
    const { operation, metadata } = running;
    running.caller = caller;
    this.#requireAdmitted(operation, caller, metadata);
    const { requestId, remoteAddress } = metadata;
    this.#deps.counts.enter(caller, remoteAddress);
    running.isCounted = true;
    running.scope = new RequestScope(caller, requestId, deadline, operation.path, this.#deps, remoteAddress);
    running.scope.fieldSource = metadata;
    metadata.onScope?.(running.scope);
    return running.scope;
  }

  /** Checks that the caller may call the operation at present, and that the key of its token may be used for it. */
  #requireAdmitted(operation: Operation, caller: Caller, { remoteAddress }: CallMetadata): void {
    requireAllowed(operation, caller);
    const { restriction, standing } = caller;
    if (restriction !== undefined) requirePermitted(restriction, operation, remoteAddress, this.#deps.clock.now());
    const error = standing?.errorFor(operation.act);
    if (error !== undefined) throw error;
  }

  #fail(running: RunningCall, thrown: unknown): RpcError {
    const error = this.toRpcError(thrown, running.operation, running.metadata.requestId);
    running.code = ERROR_CODES[error.kind].envelope;
    running.reason = error.reason;
    return error;
  }

  /**
   * Converts anything thrown to an error that may be sent to the caller. Logs the cause of errors that hide it. The text
   * of an RpcError was written for callers, whatever its kind.
   */
  toRpcError(thrown: unknown, operation: Operation, requestId: string): RpcError {
    const { log } = this.#deps;
    if (thrown instanceof RpcError) {
      if (thrown.cause !== undefined) {
        log.warn(thrown.message, { requestId, operation: operation.path, error: errorText(thrown.cause) });
      }
      return thrown;
    }
    log.error("operation failed", { requestId, operation: operation.path, error: errorText(thrown) });
    return kernelErrors.internal();
  }

  #end({ operation, metadata, startedAt, caller, code, reason, scope, isCounted }: RunningCall): void {
    const { clock, log, metrics, counts, sums } = this.#deps;
    if (scope !== undefined) {
      scope.close();
      this.#streams.delete(scope);
    }
    if (isCounted) counts.leave(caller, metadata.remoteAddress);
    const milliseconds = clock.now() - startedAt;
    const { requestId, remoteAddress: address = "" } = metadata;
    const who = { role: caller.role, callerId: callerId(caller), keyId: keyOf(caller), address };
    const auditId = scope?.auditId === requestId ? undefined : scope?.auditId;
    const more = auditId === undefined ? undefined : { auditId };
    log.info("call", { requestId, ...who, operation: operation.path, code, milliseconds, ...more });
    metrics.call(operation.path, code, milliseconds / 1000);
    const isPull = operation.effect === "read" && code === 200 && isMachine(caller);
    if (isPull || REFUSED_CODES.has(code)) sums.add({ ...who, operation: operation.path, code, reason });
    this.#inFlight--;
    if (this.#inFlight === 0) this.#onIdle?.();
  }

  /** Cancels every stream and refuses new ones. */
  endStreams(reason: RpcError): void {
    this.#endReason = reason;
    for (const scope of this.#streams) scope.cancel(reason);
  }

  /** Waits until no call is in flight, for up to `limit` milliseconds. Returns false if the time is up. */
  async drain(limit: number): Promise<boolean> {
    if (this.#inFlight === 0) return true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await Promise.race([
      new Promise<void>((resolve) => this.#onIdle = resolve),
      new Promise<void>((resolve) => timer = setTimeout(resolve, limit)),
    ]);
    clearTimeout(timer);
    return this.#inFlight === 0;
  }
}

/** Unauthenticated, forbidden, and rate limited. */
const REFUSED_CODES: ReadonlySet<number> = new Set([401, 403, 429]);
const ANONYMOUS: Caller = { role: "anonymous" };
