import type { Call } from "edgehelm";
import type { AccessTokens } from "edgehelm/auth";
import { errors } from "../errors.ts";
import type { SessionRow } from "../store.ts";
import { type Cookie, cookieOf, setCookie } from "./cookie.ts";
import type { Answer } from "./requests.ts";
import type { Sessions } from "./sessions.ts";

export interface GrantDeps {
  readonly sessions: Sessions;
  readonly tokens: AccessTokens;
  readonly sessionSeconds: bigint;
}

/** Returns the token of a session, and whose it is. */
export async function grantOf(
  { sessions, tokens }: GrantDeps,
  call: Call,
  row: SessionRow,
  { uniqueId, secret }: Cookie,
): Promise<object> {
  const { token, expiresAt } = await tokens.issue(call, row.role, uniqueId, secret);
  const mustSetUp = await sessions.mustSetUp(call, row);
  return { token, expiresAt: Number(expiresAt), type: row.role, id: String(row.subjectId), mustSetUp };
}

/** Returns the grant and the cookie of a session that has just begun. */
export async function opened(deps: GrantDeps, request: Request, call: Call, cookie: Cookie): Promise<Answer> {
  const row = await deps.sessions.find(call, cookie);
  if (row === undefined) throw errors.refused();
  return {
    data: await grantOf(deps, call, row, cookie),
    cookie: setCookie(request, cookie, Number(deps.sessionSeconds)),
  };
}

/** Returns the session of a request, and refuses a request without one. */
export async function currentSession({ sessions }: GrantDeps, request: Request, call: Call): Promise<SessionRow> {
  const cookie = cookieOf(request);
  const row = cookie && await sessions.find(call, cookie);
  if (row === undefined) throw errors.signed_out();
  return row;
}
