/** The outcome of a call that did not succeed. */
export interface ApiErrorDetails {
  readonly message: string;
  /** The code of the envelope, such as 404; 0 if no response was received. */
  readonly code: number;
  /** A stable identifier for programs, such as `ns_domain.name_taken`; empty if no response was received. */
  readonly reason: string;
  /** The id of the request in the log of the server. */
  readonly requestId?: string | undefined;
  /** The seconds after which a retry may succeed. */
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/**
 * An error of a call. Match on `reason`, since messages may improve.
 *
 * @example
 * ```ts
 * import { ApiError } from "edgehelm/client";
 *
 * try {
 *   await domains.createNSDomain({ name: "example.com", nsClusterId });
 * } catch (error) {
 *   if (!(error instanceof ApiError) || error.reason !== "ns_domain.name_taken") throw error;
 * }
 * ```
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: number;
  readonly reason: string;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor({ message, code, reason, requestId, retryAfterSeconds, cause }: ApiErrorDetails) {
    super(message, { cause });
    this.code = code;
    this.reason = reason;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** True if the same call may succeed later: the server was not reached, is overloaded or took too long. */
  get isTemporary(): boolean {
    return [0, 429, 502, 503, 504].includes(this.code);
  }
}
