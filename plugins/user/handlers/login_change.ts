import { type Call, type Handlers, ownerOf, unixSeconds } from "edgehelm";
import { usernameField } from "edgehelm/fields";
import { errors } from "../errors.ts";
import type { UserService } from "../proto/service_user_pb.ts";
import type { UserRow } from "../store.ts";
import type { Deps } from "./deps.ts";
import { requireFreeUsername } from "./free_username.ts";

/** The time after a login in which the user may change the password without the old one. */
const LOGIN_SECONDS = 600n;

/** Handles the operation by which users change their own username and password. */
export function loginChangeHandlers(
  deps: Deps,
): Pick<Handlers<typeof UserService>, "updateUserLogin"> {
  const { directory, passwords, attempts, clock, loginWithoutOldPassword } = deps;

  /** Returns false if the caller must prove to know the password: a stolen token must not suffice. */
  function isTrusted(call: Call, { loggedInAt }: UserRow): boolean {
    const isAdmin = ownerOf(call, 0n) === 0n;
    return isAdmin || loginWithoutOldPassword || unixSeconds(clock) - loggedInAt < LOGIN_SECONDS;
  }

  async function requireOldPassword(call: Call, user: UserRow, oldPassword: string): Promise<void> {
    if (oldPassword === "") throw errors.old_password_required(Number(LOGIN_SECONDS / 60n));
    const isRight = await attempts.guard(call, `user ${user.username}`, async () => {
      const matches = user.password === ""
        ? await passwords.verifyNothing(call, oldPassword)
        : await passwords.verify(call, oldPassword, user.password);
      return matches ? true : undefined;
    });
    if (isRight === undefined) throw errors.old_password_wrong();
  }

  return {
    async updateUserLogin(request, call) {
      const username = usernameField("username", request.username);
      const id = ownerOf(call, request.userId);
      const before = await directory.require(call, id);
      if (!isTrusted(call, before)) await requireOldPassword(call, before, request.oldPassword);
      await requireFreeUsername(deps, call, id, username);
      const password = await directory.hash(call, request.password);
      await call.transact(async (inner) => {
        const user = await directory.require(inner, id);
        if (user.password !== before.password) throw errors.password_changed();
        await directory.changeLogin(inner, user, username, password);
      });
      return {};
    },
  };
}
