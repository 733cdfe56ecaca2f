import { ApiError } from "./api_error.ts";
import { received, type RequestContext } from "./request.ts";

/**
 * Posts JSON to an operation and returns the data of the response.
 *
 * @throws ApiError, or the reason of the signal if it aborts
 */
export async function postJson(
  path: string,
  body: string,
  { baseUrl, fetch, headers, signal, onHeaders }: RequestContext,
): Promise<unknown> {
  const init: RequestInit = {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body,
    ...signal !== undefined && { signal },
  };
  const response = await received(fetch(`${baseUrl}${path}`, init), signal);
  onHeaders?.(response.headers);
  const envelope = await envelopeOf(response, signal);
  if (envelope.code !== 200) throw responseError(envelope, response);
  return envelope.data;
}

interface Envelope {
  readonly code: number;
  readonly data?: unknown;
  readonly message?: string;
  readonly reason?: string;
  readonly requestId?: string;
}

async function envelopeOf(response: Response, signal: AbortSignal | undefined): Promise<Envelope> {
  const text = await received(response.text(), signal);
  try {
    const json = JSON.parse(text);
    if (typeof json?.code === "number") return json;
  } catch {
    // a proxy may respond in the place of the server
  }
  const code = response.ok ? 502 : response.status;
  throw responseError({ code, message: `the server sent no envelope but HTTP ${response.status}` }, response);
}

function responseError({ code, message = "", reason = "", requestId }: Envelope, { headers }: Response): ApiError {
  const retryAfter = Number(headers.get("retry-after") ?? NaN);
  return new ApiError({
    message,
    code,
    reason,
    requestId: requestId ?? headers.get("x-request-id") ?? undefined,
    retryAfterSeconds: Number.isNaN(retryAfter) ? undefined : retryAfter,
  });
}
