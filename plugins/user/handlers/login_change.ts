import { type Call, type Handlers, ownerOf } from "edgehelm";
import { usernameField } from "edgehelm/fields";
import { errors } from "../errors.ts";
import type { UserService } from "../proto/service_user_pb.ts";
import { requireRecentLogin } from "../recent_login.ts";
import type { Deps } from "./deps.ts";
import { requireFreeUsername } from "./free_username.ts";

/** Handles the operation by which users change their own username and password. */
export function loginChangeHandlers(
  deps: Deps,
): Pick<Handlers<typeof UserService>, "updateUserLogin"> {
  const { directory, loginWithoutOldPassword } = deps;

  /** Returns false if the caller must prove to know the password. */
  function isTrusted(call: Call): boolean {
    const isAdmin = ownerOf(call, 0n) === 0n;
    return isAdmin || loginWithoutOldPassword;
  }

  return {
    async updateUserLogin(request, call) {
      const username = usernameField("username", request.username);
      const id = ownerOf(call, request.userId);
      const before = await directory.require(call, id);
      if (!isTrusted(call)) await requireRecentLogin(deps, call, before, "oldPassword", request.oldPassword);
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
