import type { CallMetadataFields } from "../../net/metadata/call_metadata.ts";
import type { HttpError } from "../../net/http1/error.ts";
import type { HeaderReader, HttpResponse } from "../../net/http_message.ts";
import { type Compress, contentCoding } from "./compression.ts";
import { indented } from "./envelope.ts";
import { wantsPretty } from "./incoming.ts";

/** A JSON response before it is formatted for its caller. */
export interface JsonResponse {
  readonly status: number;
  readonly json: string;
  /** The seconds after which the caller may retry. */
  readonly retryAfter?: number | undefined;
  /** True for the response to an earlier request with the same idempotency key. */
  readonly isReplay?: boolean | undefined;
  /** The headers and trailers that the operation has set. */
  readonly fields?: Pick<CallMetadataFields, "headers" | "trailers"> | undefined;
}

/**
 * Formats a JSON response as its caller requested: indented, compressed.
 *
 * @param id the request id for the response headers
 */
export function formatResponse(
  { status, json, retryAfter, isReplay, fields }: JsonResponse,
  header: HeaderReader,
  compress: Compress,
  id?: string,
): HttpResponse | Promise<HttpResponse> {
  const text = wantsPretty(header) ? indented(json) : json;
  const headers: HttpResponse["headers"] = [["content-type", "application/json; charset=utf-8"]];
  if (id !== undefined) headers.push(["x-request-id", id]);
  if (retryAfter !== undefined) headers.push(["retry-after", String(retryAfter)]);
  if (isReplay) headers.push(["idempotent-replayed", "true"]);
  if (fields !== undefined) {
    headers.push(...fields.headers as Iterable<[string, string]>);
    for (const [name, value] of fields.trailers) headers.push([`trailer-${name}`, value]);
  }
  const coding = contentCoding(text, header("accept-encoding"), compress);
  if (coding === undefined) return { status, headers, body: text };
  headers.push(["vary", "accept-encoding"]);
  if (coding === "identity") return { status, headers, body: text };
  headers.push(["content-encoding", coding]);
  return compress.compress(coding, text).then((body) => ({ status, headers, body }));
}

export function toResponse({ status, headers, body }: HttpResponse): Response {
  return new Response(body, { status, headers });
}

/** Returns the response to a request that cannot be served as HTTP. */
export function errorResponse({ status, reason, message }: HttpError): HttpResponse {
  const body = JSON.stringify({ code: status, data: {}, message, reason });
  return { status, headers: [["content-type", "application/json; charset=utf-8"]], body };
}
