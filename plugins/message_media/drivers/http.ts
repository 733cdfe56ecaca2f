import type { Call } from "edgehelm";
import type { SendResult } from "../contract.ts";
import { delayed, delivered, refused } from "../results.ts";

const TIMEOUT_MILLISECONDS = 15_000;
const MAX_RESPONSE_BYTES = 65_536;
const MAX_RETRY_AFTER_SECONDS = 86_400;
/** The client errors that a later attempt may not meet: no response in time, too early, too many requests. */
const TEMPORARY = [408, 425, 429];

/** A request to a provider. */
export interface ProviderRequest {
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The response of a provider. */
export interface ProviderResponse {
  readonly status: number;
  readonly text: string;
  readonly retryAfterSeconds: number;
}

/** Sends a request to a provider, within limits. */
export async function requestProvider(
  call: Call,
  url: string,
  { method, headers, body }: ProviderRequest,
): Promise<ProviderResponse> {
  const response = await call.fetch(url, {
    method,
    headers,
    ...body !== undefined && { body },
    // a message that is sent to another place was not delivered to the configured one
    redirect: "manual",
    timeoutMilliseconds: TIMEOUT_MILLISECONDS,
    maxBytes: MAX_RESPONSE_BYTES,
  });
  const text = await response.text();
  return { status: response.status, text, retryAfterSeconds: retryAfter(response.headers.get("retry-after")) };
}

/** Sends JSON to a provider. */
export function postJson(call: Call, url: string, value: unknown): Promise<ProviderResponse> {
  const body = JSON.stringify(value);
  return requestProvider(call, url, { method: "POST", headers: { "content-type": "application/json" }, body });
}

/** Returns the result of a response whose status says whether the message was delivered. */
export function resultOf({ status, text, retryAfterSeconds }: ProviderResponse): SendResult {
  if (status >= 200 && status < 300) return delivered(text);
  const error = text === "" ? `the provider responded with status ${status}` : `status ${status}: ${text}`;
  const isTemporary = status >= 500 || TEMPORARY.includes(status);
  return isTemporary ? delayed(error, text, retryAfterSeconds) : refused(error, text);
}

/** Returns the result of a response in JSON with an error code, which is 0 for a message that was delivered. */
export function resultOfCode(
  response: ProviderResponse,
  names: { readonly code: string; readonly message: string },
  isTemporary: (code: string) => boolean,
): SendResult {
  if (response.status !== 200) return resultOf(response);
  const { [names.code]: code, [names.message]: message } = jsonObject(response.text);
  if (String(code) === "0" || String(code) === "OK") return delivered(response.text);
  const error = code === undefined ? "the provider did not respond with JSON" : `error ${code}: ${message}`;
  return isTemporary(String(code)) ? delayed(error, response.text) : refused(error, response.text);
}

/** Returns a JSON object; an empty one if the text is not a JSON object. */
export function jsonObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value as Record<string, unknown> : {};
  } catch {
    return {};
  }
}

function retryAfter(header: string | null): number {
  const seconds = /^\d{1,9}$/.test(header ?? "") ? Number(header) : 0;
  return Math.min(seconds, MAX_RETRY_AFTER_SECONDS);
}
