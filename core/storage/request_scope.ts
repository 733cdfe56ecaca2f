import type { Caller } from "../base/call.ts";
import { kernelErrors, type RpcError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";

/** The longest that a timer can wait: a longer one would fire at once. */
const MAX_TIMER = 2 ** 31 - 1;

/** What all calls of one request share. */
export class RequestScope {
  readonly caller: Caller;
  readonly requestId: string;
  readonly deadline: number;
  readonly operation: string;
  /** Where the request came from, as far as its transport knows. */
  readonly remoteAddress: string | undefined;
  readonly #log: Logger;
  #scopedLog: Logger | undefined;
  #controller: AbortController | undefined;
  #ended: RpcError | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #watchCaller: ((gone: () => void) => void) | undefined;

  constructor(
    caller: Caller,
    requestId: string,
    deadline: number,
    operation: string,
    log: Logger,
    remoteAddress?: string | undefined,
  ) {
    this.caller = caller;
    this.requestId = requestId;
    this.deadline = deadline;
    this.operation = operation;
    this.remoteAddress = remoteAddress;
    this.#log = log;
  }

  get log(): Logger {
    return this.#scopedLog ??= this.#log.with({ requestId: this.requestId, operation: this.operation });
  }

  /** Made when first asked for: most operations never need it, and it is dear. */
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

  /** Cancels the request when its caller goes away. `watch` runs only for an operation that asks for the signal. */
  cancelWhenGone(watch: (gone: () => void) => void): void {
    this.#watchCaller = watch;
  }

  cancel(reason: RpcError = kernelErrors.cancelled()): void {
    this.#ended ??= reason;
    this.close();
    this.#controller?.abort(this.#ended);
  }

  /** Watches the deadline no longer: the request was answered. */
  close(): void {
    clearTimeout(this.#timer);
  }

  #armDeadline(): void {
    const left = Math.max(0, this.deadline - Date.now());
    if (left > MAX_TIMER) return;
    this.#timer = setTimeout(() => this.cancel(kernelErrors.deadline(this.operation)), left);
  }
}
