import type { Call } from "edgehelm";
import type { AccessTokens } from "edgehelm/auth";
import type { ReceiveHandler } from "edgehelm/runtime";
import type { UserRegistrations, Users } from "../../user/contract.ts";
import { opened } from "./grants.ts";
import { type Answer, type Fields, fromOwnPage, text } from "./requests.ts";
import type { Sessions } from "./sessions.ts";

export interface RegistrationDeps {
  readonly sessions: Sessions;
  readonly tokens: AccessTokens;
  readonly users: Users | undefined;
  readonly registrations: UserRegistrations | undefined;
  readonly sessionSeconds: bigint;
}

/** Returns the handler by which people become users, by path; none if users do not register themselves. */
export function registrationHandlers(
  deps: RegistrationDeps,
): readonly (readonly [path: string, handler: ReceiveHandler])[] {
  if (deps.registrations?.isOpen !== true) return [];
  const registrations: UserRegistrations = deps.registrations;

  async function register(request: Request, fields: Fields, call: Call): Promise<Answer> {
    const subjectId = await registrations.register(call, {
      username: text(fields, "username", 128),
      password: text(fields, "password", 1024),
      fullname: text(fields, "fullname", 1000),
      email: text(fields, "email", 1000),
      mobile: text(fields, "mobile", 1000),
    });
    const cookie = await call.transact(async (inner) => {
      await deps.users?.loggedIn(inner, subjectId);
      const start = { role: "user", subjectId, keySource: "", keyId: 0n } as const;
      return await deps.sessions.begin(inner, start, request.headers.get("user-agent") ?? "");
    });
    call.log.info("registered in the console", { userId: subjectId });
    return await opened(deps, request, call, cookie);
  }

  return [["/console/session/register", fromOwnPage(register)]];
}
