import type { Call, Handlers } from "edgehelm";
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
  { users, directory, factors, addresses }: Deps,
): Pick<Handlers<typeof UserService>, LoginOperations> {
  async function hasFactor(call: Call, subjectId: bigint): Promise<boolean> {
    return (await factors?.state(call, { role: "user", subjectId }))?.isOn === true;
  }

  return {
    async loginUser({ username, password, ip }, call) {
      const address = ip === "" ? "" : ipAddressField("ip", ip);
      const userId = await directory.checkPassword(call, username.trim(), password, address);
      if (userId === undefined) return { isOk: false, message: LOGIN_FAILED };
      const needsCode = await hasFactor(call, userId);
      await call.transact(async (inner) => {
        // The console checks the code by itself: the password alone proves too little to change the login.
        if (!needsCode) await directory.loggedIn(inner, userId);
        await addresses?.signedIn(inner, { role: "user", subjectId: userId }, address);
      });
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

    async checkUserOTPWithUsername({ username }, call) {
      const user = await users.byUsername.first(call, { username: username.trim() });
      return { requireOTP: user !== undefined && await hasFactor(call, user.id) };
    },

    async findUserVerifiedEmailWithUsername({ username }, call) {
      return { email: (await users.byUsername.first(call, { username: username.trim() }))?.verifiedEmail ?? "" };
    },
  };
}
