import { kernelErrors } from "../base/errors.ts";
import type { OutgoingRequest } from "./transport.ts";

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** The headers that another origin gets. All others may hold secrets: Authorization, cookies, keys, signatures. */
const FOR_OTHER_ORIGINS = new Set(["accept", "accept-language", "user-agent"]);

/**
 * Returns the request that follows a redirect, which never has a body; undefined if the response is no redirect.
 *
 * @throws RpcError unavailable for a redirect that must not be followed
 */
export function redirected(
  { url, method, headers, body, ca }: OutgoingRequest,
  response: Response,
): OutgoingRequest | undefined {
  const location = response.headers.get("location");
  if (!REDIRECTS.has(response.status) || location === null) return undefined;
  const target = URL.parse(location, url);
  if (target === null) throw refused(url, "with an invalid address");
  if (url.protocol === "https:" && target.protocol !== "https:") throw refused(url, "to an address without TLS");
  const becomesGet = becomesGetRequest(response.status, method);
  if (body !== undefined && !becomesGet) {
    throw refused(url, `with status ${response.status}, which would send the body of the request elsewhere`);
  }
  return {
    url: target,
    method: becomesGet ? "GET" : method,
    headers: keptHeaders(headers, url, target),
    body: undefined,
    ca,
  };
}

/** Applies the rules of fetch. */
function becomesGetRequest(status: number, method: string): boolean {
  if (status === 303) return method !== "HEAD";
  return (status === 301 || status === 302) && method === "POST";
}

function keptHeaders(headers: Headers, from: URL, to: URL): Headers {
  const kept = new Headers(headers);
  const isSame = from.origin === to.origin;
  for (const name of headers.keys()) {
    if (isSame ? name.startsWith("content-") : !FOR_OTHER_ORIGINS.has(name)) kept.delete(name);
  }
  return kept;
}

function refused({ host }: URL, how: string) {
  return kernelErrors.unavailable(`${host} redirects ${how}`);
}
