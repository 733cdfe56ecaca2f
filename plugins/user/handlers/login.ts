import type { Handlers } from "edgehelm";
import { ipAddressField } from "edgehelm/fields";
import type { UserService } from "../proto/service_user_pb.ts";
import type { Deps } from "./deps.ts";

// the same text for every cause, so that usernames cannot be enumerated
const LOGIN_FAILED = "the username or the password is wrong, or the user may not log in";

type LoginOperations =
  | "loginUser"
  | "checkUserUsername"
  | "checkUserEmail"
  | "checkUserMobile"
  | "checkUserOTPWithUsername"
  | "findUserVerifiedEmailWithUsername";

/** The operations that a console uses for login and registration. */
export function loginHandlers(
  { users, directory }: Deps,
): Pick<Handlers<typeof UserService>, LoginOperations> {
  return {
    async loginUser({ username, password, ip }, call) {
      const address = ip === "" ? "" : ipAddressField("ip", ip);
      const userId = await directory.checkPassword(call, username.trim(), password, address);
      if (userId === undefined) return { isOk: false, message: LOGIN_FAILED };
      await call.transact((inner) => directory.loggedIn(inner, userId));
      return { userId, isOk: true };
    },

    async checkUserUsername({ userId, username }, call) {
      const user = await users.byUsername.first(call, { username: username.trim() });
      return { exists: user !== undefined && user.id !== userId };
    },

    async checkUserEmail({ email }, call) {
      return {
        exists: email.trim() !== "" && await users.idByEmail.first(call, { email: email.trim() }) !== undefined,
      };
    },

    async checkUserMobile({ mobile }, call) {
      const text = mobile.trim();
      return { exists: text !== "" && await users.idByMobile.first(call, { mobile: text }) !== undefined };
    },

    async checkUserOTPWithUsername() {
      // second factors are managed by LoginService, which is not implemented: no user has one
      return { requireOTP: false };
    },

    async findUserVerifiedEmailWithUsername({ username }, call) {
      return { email: (await users.byUsername.first(call, { username: username.trim() }))?.verifiedEmail ?? "" };
    },
  };
}
