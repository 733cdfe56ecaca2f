import { kernelErrors, RpcError } from "../base/errors.ts";

/** The time limit of one request or connection, together with the signal of the plugin. */
export class TimeLimit {
  readonly #host: string;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly signal: AbortSignal;

  constructor(host: string, milliseconds: number, given: AbortSignal | null | undefined) {
    given?.throwIfAborted();
    const controller = new AbortController();
    this.#host = host;
    const expired = `${host} took longer than ${milliseconds / 1000} s`;
    this.#timer = setTimeout(() => controller.abort(kernelErrors.unavailable(expired)), milliseconds);
    this.signal = given ? AbortSignal.any([controller.signal, given]) : controller.signal;
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  /** Returns the error to throw for one of the runtime: an abort has the reason of its signal. */
  errorOf(error: unknown): unknown {
    if (this.signal.aborted) return this.signal.reason;
    if (error instanceof RpcError) return error;
    const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
    const cause = typeof code === "string" ? code : String(message ?? error);
    const text = `the connection to ${this.#host} failed: ${cause}`;
    return new RpcError("kernel.unavailable", "unavailable", text, { cause: error });
  }
}
