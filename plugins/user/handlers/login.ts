import type { Handlers } from "edgehelm";
import type { UserService } from "../proto/service_user_pb.ts";
import type { Deps } from "./deps.ts";

// One text for every cause, so that usernames cannot be found out.
const REFUSED = "the username or the password is wrong, or the user may not log in";

type LoginOperations =
  | "loginUser"
  | "checkUserUsername"
  | "checkUserEmail"
  | "checkUserMobile"
  | "checkUserOTPWithUsername"
  | "findUserVerifiedEmailWithUsername";

/** What a console asks when somebody logs in or registers. */
export function loginHandlers(
  { users, passwords, attempts }: Deps,
): Pick<Handlers<typeof UserService>, LoginOperations> {
  return {
    async loginUser({ username, password }, call) {
      const name = username.trim();
      const userId = await attempts.guard(call, `user ${name}`, async () => {
        const user = await users.byUsername.first(call, { username: name });
        const matches = user === undefined
          ? await passwords.verifyNothing(call, password)
          : await passwords.verify(call, password, user.password);
        return matches && user?.isOn === 1n && user.isRejected === 0n ? user.id : undefined;
      });
      return userId === undefined ? { isOk: false, message: REFUSED } : { userId, isOk: true };
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
      // A second factor is a login of LoginService, which no plugin keeps: no user has one.
      return { requireOTP: false };
    },

    async findUserVerifiedEmailWithUsername({ username }, call) {
      return { email: (await users.byUsername.first(call, { username: username.trim() }))?.verifiedEmail ?? "" };
    },
  };
}
