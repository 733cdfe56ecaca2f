import { invalid } from "../base/errors.ts";
import type { OutboundInit } from "../base/outbound.ts";
import type { OutgoingRequest } from "./transport.ts";

const MAX_URL = 8192;
/** The headers that belong to the connection, which the transport sets. */
const OF_CONNECTION =
  /^(?:connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*)$/;

/**
 * Converts the arguments of a fetch.
 *
 * @throws RpcError invalid for an address that no request may have; TypeError for options that fetch refuses as well
 */
export async function outgoingRequest(input: string | URL, init: OutboundInit): Promise<OutgoingRequest> {
  const url = webAddress(input);
  const { method = "GET", headers, body, ca } = init;
  // a header such as Host could not be set on a Request of a browser: here it must not take effect
  const request = new Request(url, { method, headers: headers ?? {}, body: body ?? null });
  const kept = new Headers(request.headers);
  for (const name of request.headers.keys()) if (OF_CONNECTION.test(name)) kept.delete(name);
  if (!kept.has("accept")) kept.set("accept", "*/*");
  if (!kept.has("user-agent")) kept.set("user-agent", "edgehelm");
  const bytes = body === undefined || body === null ? undefined : new Uint8Array(await request.arrayBuffer());
  return { url, method: request.method, headers: kept, body: bytes, ca };
}

/**
 * Checks an address of the web.
 *
 * @throws RpcError invalid
 */
export function webAddress(input: string | URL): URL {
  const text = String(input);
  const url = text.length > MAX_URL ? null : URL.parse(text);
  const isValid = url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  if (isValid) return url;
  const expected = `must be an http or https address of up to ${MAX_URL} characters without a password`;
  throw invalid("url", `${expected}, got "${text.slice(0, 60)}"`);
}
