import type { Authenticator } from "../auth/authenticator.ts";
import { type Caller, callerId } from "../base/call.ts";
import type { CallCounts } from "./call_counts.ts";
import type { Clock } from "../base/clock.ts";
import type { Effects } from "./effects.ts";
import { requireValidMessage } from "./encoded_messages.ts";
import { ERROR_CODES, kernelErrors, RpcError } from "../base/errors.ts";
import type { IdempotencyKey } from "./idempotency.ts";
import { errorText, type Logger } from "../base/log.ts";
import type { Metrics } from "../base/metrics.ts";
import type { Operation } from "./operation.ts";
import { type RequestRules, requireWithinRules, requireWithinRulesEach } from "./request_rules.ts";
import { RequestScope } from "../storage/request_scope.ts";

/** What a transport knows about a call before it reads the request. */
export interface CallMetadata {
  readonly token: string | undefined;
  readonly requestId: string;
  /** Where it comes from; behind a proxy, what the proxy says. */
  readonly remoteAddress?: string | undefined;
  /** Unix milliseconds; undefined leaves the installation's own limit. */
  readonly deadline?: number | undefined;
  /** Told when the caller goes away. */
  readonly onScope?: ((scope: RequestScope) => void) | undefined;
}

/** A request that was read and decoded. */
export interface Decoded {
  /** As the operation's handler takes it: a message, or an encoded one. */
  readonly request: unknown;
  readonly idempotencyKey?: IdempotencyKey | undefined;
}

export interface DispatchDeps {
  readonly authenticator: Authenticator;
  readonly effects: Effects;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly counts: CallCounts;
  readonly rules: RequestRules;
  /** How long a call may take when its caller sets no deadline. */
  readonly callMilliseconds: number;
}

/** A call on its way, for its log line and its counts. */
interface Running {
  readonly operation: Operation;
  readonly arrival: CallMetadata;
  readonly started: number;
  caller: Caller;
  code: number;
  scope: RequestScope | undefined;
  /** Whether it is among the calls of its caller. */
  isCounted: boolean;
}

/** The one request path: authenticate, allow, decode, run, encode; then one log line. Every transport ends here. */
export class Dispatch {
  readonly #deps: DispatchDeps;
  readonly #streams = new Set<RequestScope>();
  #ended: RpcError | undefined;
  #inFlight = 0;
  #idle: (() => void) | undefined;

  constructor(deps: DispatchDeps) {
    this.#deps = deps;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /**
   * Runs one unary call.
   *
   * @param decode reads the request; runs only for callers who may call the operation
   * @param encode makes the answer for the wire
   * @throws RpcError and nothing else
   */
  async call<Wire>(
    operation: Operation,
    arrival: CallMetadata,
    decode: () => Decoded | Promise<Decoded>,
    encode: (response: unknown) => Wire,
  ): Promise<Wire> {
    const running = this.#begin(operation, arrival);
    try {
      // By the real time, which is the one that timers keep.
      const limit = Date.now() + this.#deps.callMilliseconds;
      const admitted = this.#admit(running, Math.min(arrival.deadline ?? limit, limit));
      const scope = admitted instanceof Promise ? await admitted : admitted;
      const decoding = decode();
      const { request, idempotencyKey } = decoding instanceof Promise ? await decoding : decoding;
      if (operation.isEncoded) requireValidMessage(operation, request as Uint8Array, this.#deps.rules);
      else requireWithinRules(request, this.#deps.rules);
      return encode(await this.#deps.effects.run(operation, request, scope, idempotencyKey));
    } catch (thrown) {
      throw this.#failed(running, thrown);
    } finally {
      this.#end(running);
    }
  }

  /**
   * Runs one streaming call; a client stream gives its one response as the only item.
   *
   * @param input the request, or the requests of a client or bidirectional stream
   */
  async *stream(operation: Operation, arrival: CallMetadata, input: unknown): AsyncGenerator<unknown> {
    const running = this.#begin(operation, arrival);
    let stopWatching: (() => void) | undefined;
    try {
      const scope = await this.#admit(running, arrival.deadline ?? Infinity);
      if (scope.caller.role !== "anonymous") {
        stopWatching = this.#deps.authenticator.watch(arrival.token!, (reason) => scope.cancel(reason));
      }
      if (this.#ended !== undefined) throw this.#ended;
      this.#streams.add(scope);
      yield* this.#deps.effects.stream(operation, requireWithinRulesEach(operation, input, this.#deps.rules), scope);
    } catch (thrown) {
      throw this.#failed(running, thrown);
    } finally {
      stopWatching?.();
      this.#end(running);
    }
  }

  #begin(operation: Operation, arrival: CallMetadata): Running {
    this.#inFlight++;
    const started = this.#deps.clock.now();
    return { operation, arrival, started, caller: ANONYMOUS, code: 200, scope: undefined, isCounted: false };
  }

  /** Authenticates the caller and opens the scope, if they may call this operation. */
  #admit(running: Running, deadline: number): RequestScope | Promise<RequestScope> {
    const { operation, arrival } = running;
    this.#deps.counts.requireRoom(this.#inFlight);
    if (operation.roles.has("anonymous")) return this.#open(running, ANONYMOUS, deadline);
    const caller = this.#deps.authenticator.authenticate(arrival.token);
    if (caller instanceof Promise) return caller.then((known) => this.#open(running, known, deadline));
    return this.#open(running, caller, deadline);
  }

  #open(running: Running, caller: Caller, deadline: number): RequestScope {
    const { operation, arrival } = running;
    running.caller = caller;
    if (!operation.roles.has(caller.role)) throw kernelErrors.role_forbidden(caller.role, operation.path);
    const { requestId, remoteAddress } = arrival;
    this.#deps.counts.enter(caller, remoteAddress);
    running.isCounted = true;
    running.scope = new RequestScope(caller, requestId, deadline, operation.path, this.#deps.log, remoteAddress);
    arrival.onScope?.(running.scope);
    return running.scope;
  }

  #failed(running: Running, thrown: unknown): RpcError {
    const error = this.toRpcError(thrown, running.operation, running.arrival.requestId);
    running.code = ERROR_CODES[error.kind].envelope;
    return error;
  }

  /** What was thrown, as an error that may leave the process. */
  toRpcError(thrown: unknown, operation: Operation, requestId: string): RpcError {
    const { log } = this.#deps;
    if (thrown instanceof RpcError && thrown.kind !== "internal") {
      if (thrown.cause !== undefined) {
        log.warn(thrown.message, { requestId, operation: operation.path, error: errorText(thrown.cause) });
      }
      return thrown;
    }
    log.error("an operation failed", { requestId, operation: operation.path, error: errorText(thrown) });
    return kernelErrors.internal();
  }

  #end({ operation, arrival, started, caller, code, scope, isCounted }: Running): void {
    const { clock, log, metrics, counts } = this.#deps;
    if (scope !== undefined) {
      scope.close();
      this.#streams.delete(scope);
    }
    if (isCounted) counts.leave(caller, arrival.remoteAddress);
    const milliseconds = clock.now() - started;
    const { requestId } = arrival;
    const { role } = caller;
    log.info("call", { requestId, role, callerId: callerId(caller), operation: operation.path, code, milliseconds });
    metrics.call(operation.path, code, milliseconds / 1000);
    this.#inFlight--;
    if (this.#inFlight === 0) this.#idle?.();
  }

  /** Ends every stream, since none would end by itself, and refuses new ones. */
  endStreams(reason: RpcError): void {
    this.#ended = reason;
    for (const scope of this.#streams) scope.cancel(reason);
  }

  /** Resolves when no call is in flight, or after `limit` milliseconds; true when none is. */
  async drained(limit: number): Promise<boolean> {
    if (this.#inFlight === 0) return true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await Promise.race([
      new Promise<void>((resolve) => this.#idle = resolve),
      new Promise<void>((resolve) => timer = setTimeout(resolve, limit)),
    ]);
    clearTimeout(timer);
    return this.#inFlight === 0;
  }
}

const ANONYMOUS: Caller = { role: "anonymous" };
