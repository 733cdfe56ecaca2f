/** A request that cannot be served as HTTP: it is answered once, and its connection closed. */
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

/** A request that is not HTTP/1.1 as RFC 9112 has it. */
export function malformed(detail: string): HttpError {
  return new HttpError(400, "kernel.malformed", `the request is not HTTP/1.1 as it should be: ${detail}`);
}

export function tooLarge(message: string): HttpError {
  return new HttpError(431, "kernel.too_large", message);
}

export function tooSlow(): HttpError {
  return new HttpError(408, "kernel.too_slow", "the request did not come in time");
}
