import { type Call, choiceField, type Clock } from "edgehelm";
import type { AccessTokens, LoginAttempts } from "edgehelm/auth";
import type { ReceiveHandler } from "edgehelm/runtime";
import type { Admins } from "../../admin/contract.ts";
import type { LoginAddresses, SecondFactors } from "../../login/contract.ts";
import type { UserVerifyCodes } from "../../user_verify_code/contract.ts";
import type { UserRegistrations, Users } from "../../user/contract.ts";
import { errors } from "../errors.ts";
import manifest from "../plugin.json" with { type: "json" };
import type { ConsoleRole, SessionRow, SessionStore } from "../store.ts";
import { clearCookie, cookieOf } from "./cookie.ts";
import { type Answer, type Fields, fromOwnPage, text } from "./requests.ts";
import { endSession } from "./endings.ts";
import { currentSession, grantOf, opened } from "./grants.ts";
import { passwordResetHandlers } from "./password_reset.ts";
import { registrationHandlers } from "./registration.ts";
import { secondFactorHandlers } from "./second_factors.ts";
import type { Sessions, SessionStart } from "./sessions.ts";

export interface HandlerDeps {
  readonly sessions: Sessions;
  readonly store: SessionStore;
  readonly tokens: AccessTokens;
  readonly admins: Admins | undefined;
  readonly users: Users | undefined;
  readonly registrations: UserRegistrations | undefined;
  readonly codes: UserVerifyCodes | undefined;
  readonly factors: SecondFactors | undefined;
  readonly addresses: LoginAddresses | undefined;
  readonly attempts: LoginAttempts;
  readonly clock: Clock;
  readonly sessionSeconds: bigint;
  readonly idleSeconds: bigint;
}

const ROLES: readonly ConsoleRole[] = ["admin", "user"];

/** Returns the handlers of the requests by which pages begin, use and end sessions, by path. */
export function sessionHandlers(deps: HandlerDeps): ReadonlyMap<string, ReceiveHandler> {
  const { sessions, tokens, admins, users, registrations, codes, factors, addresses, attempts } = deps;

  /** Returns undefined if the second factor is missing. */
  async function verified(fields: Fields, call: Call): Promise<SessionStart | undefined> {
    const role = choiceField("type", text(fields, "type", 10), ROLES);
    const keyId = text(fields, "accessKeyId", 100).trim();
    if (keyId !== "") {
      const { source, ...holder } = await tokens.verify(call, role, keyId, text(fields, "accessKey", 200).trim());
      // A session that begins another one would never end.
      if (source === manifest.name) throw errors.key_refused();
      return { role, subjectId: holder.subjectId, keySource: source, keyId: holder.keyId };
    }
    const people = role === "admin" ? admins : users;
    const [username, password] = [text(fields, "username", 128).trim(), text(fields, "password", 1024)];
    const subjectId = await people?.checkPassword(call, username, password);
    if (subjectId === undefined) throw errors.refused();
    const owner = { role, subjectId };
    if ((await factors?.state(call, owner))?.isOn === true) {
      const code = text(fields, "code", 40).trim();
      if (code === "") return undefined;
      const verify = async () => await factors?.verify(call, owner, code) || undefined;
      if (await attempts.guard(call, `${role} ${username}`, verify) === undefined) throw errors.code_refused();
    }
    return { ...owner, keySource: "", keyId: 0n };
  }

  async function signIn(request: Request, fields: Fields, call: Call): Promise<Answer> {
    const start = await verified(fields, call);
    if (start === undefined) return { data: { needsCode: true } };
    const cookie = await call.transact(async (inner) => {
      if (start.keySource === "") {
        if (start.role === "user") await users?.loggedIn(inner, start.subjectId);
        await addresses?.signedIn(inner, start, call.remoteAddress ?? "");
      }
      return await sessions.begin(inner, start, request.headers.get("user-agent") ?? "");
    });
    call.log.info("signed in to the console", { role: start.role, subjectId: start.subjectId });
    return await opened(deps, request, call, cookie);
  }

  /** Returns a token for the page, or without a session, what else the reader may do. */
  async function token(request: Request, _fields: Fields, call: Call): Promise<Answer> {
    const cookie = cookieOf(request);
    const row = cookie && await sessions.find(call, cookie);
    if (cookie !== undefined && row !== undefined) return { data: await grantOf(deps, call, row, cookie) };
    const data = { mayRegister: registrations?.isOpen === true, mayReset: await codes?.isOpen(call) === true };
    return cookie === undefined ? { data } : { data, cookie: clearCookie(request) };
  }

  async function signOut(request: Request, _fields: Fields, call: Call): Promise<Answer> {
    const cookie = cookieOf(request);
    const row = cookie && await sessions.find(call, cookie);
    if (row !== undefined) {
      await call.transact((inner) => endSession(deps, inner, row));
    }
    return { data: {}, cookie: clearCookie(request) };
  }

  async function list(request: Request, _fields: Fields, call: Call): Promise<Answer> {
    const own = await currentSession(deps, request, call);
    const rows = await sessions.listOf(call, own);
    return { data: { sessions: rows.map((row) => message(row, own.id)) } };
  }

  /** Ends one other session, or all others. */
  async function end(request: Request, fields: Fields, call: Call): Promise<Answer> {
    const own = await currentSession(deps, request, call);
    const idText = text(fields, "sessionId", 19);
    if (!/^[0-9]*$/.test(idText)) throw errors.field("sessionId", `must be the id of a session, got "${idText}"`);
    await call.transact(async (inner) => {
      const ended = (await sessions.listOf(inner, own)).filter(({ id }) =>
        idText === "" ? id !== own.id : id === BigInt(idText)
      );
      if (ended.length === 0 && idText !== "") throw errors.session_missing(BigInt(idText));
      for (const row of ended) await endSession(deps, inner, row);
    });
    return { data: {} };
  }

  return new Map([
    ...secondFactorHandlers(deps),
    ...registrationHandlers(deps),
    ...passwordResetHandlers(codes),
    ["/console/session/sign_in", fromOwnPage(signIn)],
    ["/console/session/token", fromOwnPage(token)],
    ["/console/session/sign_out", fromOwnPage(signOut)],
    ["/console/session/list", fromOwnPage(list)],
    ["/console/session/end", fromOwnPage(end)],
  ]);
}

function message({ id, address, userAgent, createdAt, lastUsedAt, expiresAt, keySource }: SessionRow, ownId: bigint) {
  return {
    id: String(id),
    isCurrent: id === ownId,
    isOfKey: keySource !== "",
    address,
    userAgent,
    createdAt: Number(createdAt),
    lastUsedAt: Number(lastUsedAt),
    expiresAt: Number(expiresAt),
  };
}
