import type { Caller } from "../base/call.ts";
import { MAX_TIMER } from "../base/clock.ts";
import { kernelErrors, type RpcError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import type { Outbound } from "../base/outbound.ts";
import { CallMetadataFields, type FieldSource } from "../net/metadata/call_metadata.ts";

/** The services of the installation that every request uses. */
export interface ScopeServices {
  readonly log: Logger;
  readonly outbound: Outbound;
}

/** The state that all calls of one request share. */
export class RequestScope {
  readonly caller: Caller;
  readonly requestId: string;
  readonly deadline: number;
  readonly operation: string;
  /** The IP address of the caller, if the transport knows it. */
  readonly remoteAddress: string | undefined;
  readonly outbound: Outbound;
  /** The installation's own id of the request in the audit log; undefined if it has no record. */
  auditId: string | undefined;
  /** True if the response is that to an earlier request with the same idempotency key. */
  isReplay = false;
  /** The header fields of the request, if there is one. */
  fieldSource: FieldSource | undefined;
  readonly #log: Logger;
  #scopedLog: Logger | undefined;
  #controller: AbortController | undefined;
  #ended: RpcError | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #metadata: CallMetadataFields | undefined;
  #watchCaller: ((gone: () => void) => void) | undefined;

  constructor(
    caller: Caller,
    requestId: string,
    deadline: number,
    operation: string,
    { log, outbound }: ScopeServices,
    remoteAddress?: string | undefined,
  ) {
    this.caller = caller;
    this.requestId = requestId;
    this.deadline = deadline;
    this.operation = operation;
    this.remoteAddress = remoteAddress;
    this.outbound = outbound;
    this.#log = log;
  }

  get log(): Logger {
    return this.#scopedLog ??= this.#log.with({ requestId: this.requestId, operation: this.operation });
  }

  /** Created on first access, because most operations use none. */
  get metadata(): CallMetadataFields {
    return this.#metadata ??= new CallMetadataFields(this.fieldSource);
  }

  /** The metadata if the operation has used it. */
  get usedMetadata(): CallMetadataFields | undefined {
    return this.#metadata;
  }

  /** Created on first access, because it is expensive and most operations do not need it. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#ended !== undefined) this.#controller.abort(this.#ended);
      else {
        this.#armDeadline();
        this.#watchCaller?.(() => this.cancel());
      }
    }
    return this.#controller.signal;
  }

  /** Cancels the request when its caller disconnects. `watch` is called only if the operation uses the signal. */
  cancelWhenGone(watch: (gone: () => void) => void): void {
    this.#watchCaller = watch;
  }

  cancel(reason: RpcError = kernelErrors.cancelled()): void {
    this.#ended ??= reason;
    this.close();
    this.#controller?.abort(this.#ended);
  }

  /** Stops watching the deadline, once the response has been sent. */
  close(): void {
    clearTimeout(this.#timer);
  }

  #armDeadline(): void {
    const delay = Math.max(0, this.deadline - Date.now());
    if (delay > MAX_TIMER) return;
    this.#timer = setTimeout(() => this.cancel(kernelErrors.deadline(this.operation)), delay);
  }
}
