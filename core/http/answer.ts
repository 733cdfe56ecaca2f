import type { HttpFault } from "../http1/fault.ts";
import { type Compress, contentCoding } from "./compression.ts";
import { indented } from "./envelope.ts";
import { type HeaderReader, wantsPretty } from "./incoming.ts";

/** A JSON answer before it is dressed for its caller. */
export interface JsonAnswer {
  readonly status: number;
  readonly json: string;
  /** Seconds, for a caller who should try again later. */
  readonly retryAfter?: number | undefined;
}

/** A whole answer, for whatever listener the request came by. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: [name: string, value: string][];
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/**
 * Gives a JSON answer the form that its caller asked for: indented, compressed.
 *
 * @param id names the request in the answer
 */
export function dressed(
  { status, json, retryAfter }: JsonAnswer,
  header: HeaderReader,
  compress: Compress,
  id?: string,
): HttpAnswer | Promise<HttpAnswer> {
  const text = wantsPretty(header) ? indented(json) : json;
  const headers: HttpAnswer["headers"] = [["content-type", "application/json; charset=utf-8"]];
  if (id !== undefined) headers.push(["x-request-id", id]);
  if (retryAfter !== undefined) headers.push(["retry-after", String(retryAfter)]);
  const coding = contentCoding(text, header("accept-encoding"), compress);
  if (coding === undefined) return { status, headers, body: text };
  headers.push(["vary", "accept-encoding"]);
  if (coding === "identity") return { status, headers, body: text };
  headers.push(["content-encoding", coding]);
  return compress.compress(coding, text).then((body) => ({ status, headers, body }));
}

export function toResponse({ status, headers, body }: HttpAnswer): Response {
  return new Response(body, { status, headers });
}

/** The answer to a request that cannot be served as HTTP. */
export function refusalAnswer({ status, reason, message }: HttpFault): HttpAnswer {
  const body = JSON.stringify({ code: status, data: {}, message, reason });
  return { status, headers: [["content-type", "application/json; charset=utf-8"]], body };
}
