import { errors } from "../errors.ts";

/**
 * Refuses a request that may have been sent by a page of another origin. Such a page cannot send the header without
 * asking first; if other origins are allowed (`http.corsOrigins`), the browser still tells where the request comes from.
 *
 * @throws RpcError forbidden
 */
export function requireOwnPage({ headers, url }: Request): void {
  if (headers.get("x-edgehelm-console") !== "1") throw errors.foreign();
  const site = headers.get("sec-fetch-site");
  if (site !== null) {
    if (site !== "same-origin" && site !== "none") throw errors.foreign();
    return;
  }
  const origin = headers.get("origin");
  if (origin === null) return;
  const host = headers.get("host") ?? new URL(url).host;
  if (!URL.canParse(origin) || new URL(origin).host !== host) throw errors.foreign();
}
