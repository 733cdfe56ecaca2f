import { constantTimeEqual } from "../../auth/random.ts";

export const METRICS_HEADERS = { "content-type": "text/plain; version=0.0.4; charset=utf-8" };

/** Responds to a request for /metrics where everyone can send one. The metrics are for callers with the token. */
export async function guardedMetrics(
  authorization: string | undefined,
  token: string,
  text: () => Promise<string>,
): Promise<Response> {
  const [, given = ""] = /^Bearer (\S{1,1024})$/i.exec(authorization ?? "") ?? [];
  if (await constantTimeEqual(token, given)) return new Response(await text(), { headers: METRICS_HEADERS });
  const headers = { "www-authenticate": "Bearer" };
  return new Response("metrics need the token of EDGEHELM_METRICS_TOKEN\n", { status: 401, headers });
}
