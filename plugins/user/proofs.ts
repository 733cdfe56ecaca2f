import type { UserProofs } from "./contract.ts";
import { errors } from "./errors.ts";
import { type RecentLoginDeps, requireRecentLogin } from "./recent_login.ts";
import { emailField } from "./registration/rules.ts";
import type { UserStore } from "./store.ts";
import type { UserChanges } from "./store_changes.ts";
import type { UserDirectory } from "./user_directory.ts";

export interface ProofDeps extends RecentLoginDeps {
  readonly users: UserStore;
  readonly changes: UserChanges;
  readonly directory: UserDirectory;
  /** True if users need not prove to know the old password when they change their login. */
  readonly loginWithoutOldPassword: boolean;
}

/** Acts for people who proved in another way than by their password who they are. */
export function userProofs(deps: ProofDeps): UserProofs {
  const { users, changes, directory, passwords } = deps;
  return {
    emailField,

    async requireRecentLogin(call, userId, field, password) {
      const user = await directory.require(call, userId);
      if (!deps.loginWithoutOldPassword) await requireRecentLogin(deps, call, user, field, password);
    },

    async idByVerifiedEmail(call, email) {
      const [user, ...others] = await users.byVerifiedEmail.all(call, { email });
      // An address that two users have says about neither who sent the request.
      if (user === undefined || others.length > 0) return undefined;
      return await directory.isLive(call, user.id) ? user.id : undefined;
    },

    async setVerifiedEmail(call, userId, email) {
      const { id } = await directory.require(call, userId);
      const holders = await users.byVerifiedEmail.all(call, { email });
      if (holders.some((holder) => holder.id !== id)) return false;
      await changes.setVerifiedEmail.run(call, { id, email, verifiedEmail: email });
      return true;
    },

    hashPassword: (call, field, password) => passwords.hash(call, field, password),

    async setPassword(call, userId, hash) {
      const user = await users.byId.first(call, { id: userId });
      if (user === undefined) throw errors.not_found(userId);
      await changes.setPassword.run(call, { id: user.id, password: hash });
      await directory.endTokens(call, user.id);
      await directory.liftLock(call, user.username);
    },
  };
}
