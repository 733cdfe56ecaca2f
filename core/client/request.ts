import { ApiError } from "./api_error.ts";

/** Sends a request, as the global `fetch` does. */
export type Fetch = (input: string, init: RequestInit) => Promise<Response>;

/** Everything that a request needs besides its message. */
export interface RequestContext {
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
  /** Receives the headers of the response. */
  readonly onHeaders?: ((headers: Headers) => void) | undefined;
}

/**
 * Waits for a part of the response.
 *
 * @throws ApiError without a code if the connection breaks, or the reason of the signal if it aborts
 */
export async function received<Result>(part: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  try {
    return await part;
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    throw new ApiError({ message: "the server cannot be reached", code: 0, reason: "", cause });
  }
}
