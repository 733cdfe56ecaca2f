/** The error for a request that cannot be served as HTTP. Its response closes the connection. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly status: number;
  readonly reason: string;

  constructor(status: number, reason: string, message: string) {
    super(message);
    this.status = status;
    this.reason = reason;
  }
}

/** Returns the error for a request that violates RFC 9112. */
export function malformed(detail: string): HttpError {
  return new HttpError(400, "kernel.malformed", `the request is not valid HTTP/1.1: ${detail}`);
}

export function tooLarge(message: string): HttpError {
  return new HttpError(431, "kernel.too_large", message);
}

export function tooSlow(): HttpError {
  return new HttpError(408, "kernel.too_slow", "the request was not received in time");
}
