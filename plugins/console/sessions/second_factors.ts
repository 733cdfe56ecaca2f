import type { Call } from "edgehelm";
import type { AccessTokens, LoginAttempts } from "edgehelm/auth";
import type { ReceiveHandler } from "edgehelm/runtime";
import type { Admins } from "../../admin/contract.ts";
import type { SecondFactors } from "../../login/contract.ts";
import type { Users } from "../../user/contract.ts";
import { errors } from "../errors.ts";
import type { SessionRow } from "../store.ts";
import { currentSession, opened } from "./grants.ts";
import { type Answer, type Fields, fromOwnPage, text } from "./requests.ts";
import type { Sessions } from "./sessions.ts";

export interface SecondFactorDeps {
  readonly sessions: Sessions;
  readonly tokens: AccessTokens;
  readonly attempts: LoginAttempts;
  readonly admins: Admins | undefined;
  readonly users: Users | undefined;
  readonly factors: SecondFactors | undefined;
  readonly sessionSeconds: bigint;
}

/** Returns the handlers by which people manage their own second factor, by path; none without the plugin `login`. */
export function secondFactorHandlers(
  deps: SecondFactorDeps,
): readonly (readonly [path: string, handler: ReceiveHandler])[] {
  const { sessions, tokens, admins, users, attempts } = deps;
  if (deps.factors === undefined) return [];
  const factors: SecondFactors = deps.factors;

  async function usernameOf(call: Call, { role, subjectId }: SessionRow): Promise<string> {
    const names = await (role === "admin" ? admins?.names(call, [subjectId]) : users?.summaries(call, [subjectId]));
    return names?.get(subjectId)?.username ?? "";
  }

  /** Refuses a caller who holds the session but does not know the password. */
  async function requirePassword(call: Call, row: SessionRow, fields: Fields): Promise<void> {
    // A session of a restricted key may do no more than the key.
    if (row.keySource !== "" && await sessions.standing(call, row) !== true) throw errors.restricted();
    const people = row.role === "admin" ? admins : users;
    const found = await people?.checkPassword(call, await usernameOf(call, row), text(fields, "password", 1024));
    if (found !== row.subjectId) throw errors.password_wrong();
  }

  /** Ends all tokens and sessions of the person, and begins a new session for this page. */
  async function renewed(request: Request, call: Call, row: SessionRow): Promise<Answer> {
    const cookie = await call.transact(async (inner) => {
      await tokens.end(inner, { role: row.role, subjectId: row.subjectId });
      return await sessions.begin(inner, row, request.headers.get("user-agent") ?? "");
    });
    return await opened(deps, request, call, cookie);
  }

  async function state(request: Request, _fields: Fields, call: Call): Promise<Answer> {
    const row = await currentSession(deps, request, call);
    return { data: { isOn: (await factors.state(call, row))?.isOn === true } };
  }

  async function begin(request: Request, fields: Fields, call: Call): Promise<Answer> {
    const row = await currentSession(deps, request, call);
    await requirePassword(call, row, fields);
    const secret = await factors.begin(call, row);
    const label = encodeURIComponent(`Edgehelm:${await usernameOf(call, row)}`);
    return { data: { secret, uri: `otpauth://totp/${label}?secret=${secret}&issuer=Edgehelm` } };
  }

  async function confirm(request: Request, fields: Fields, call: Call): Promise<Answer> {
    const row = await currentSession(deps, request, call);
    const name = `${row.role} ${await usernameOf(call, row)}`;
    const codes = await attempts.guard(call, name, () => factors.confirm(call, row, text(fields, "code", 40)));
    if (codes === undefined) throw errors.code_refused();
    const { data, ...rest } = await renewed(request, call, row);
    return { data: { ...data, codes }, ...rest };
  }

  async function renewCodes(request: Request, fields: Fields, call: Call): Promise<Answer> {
    const row = await currentSession(deps, request, call);
    await requirePassword(call, row, fields);
    return { data: { codes: await factors.renewRecoveryCodes(call, row) } };
  }

  async function turnOff(request: Request, fields: Fields, call: Call): Promise<Answer> {
    const row = await currentSession(deps, request, call);
    await requirePassword(call, row, fields);
    await factors.turnOff(call, row);
    return await renewed(request, call, row);
  }

  return [
    ["/console/session/factor", fromOwnPage(state)],
    ["/console/session/factor_begin", fromOwnPage(begin)],
    ["/console/session/factor_confirm", fromOwnPage(confirm)],
    ["/console/session/factor_codes", fromOwnPage(renewCodes)],
    ["/console/session/factor_off", fromOwnPage(turnOff)],
  ];
}
