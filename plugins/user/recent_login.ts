import { type Call, type Clock, unixSeconds } from "edgehelm";
import type { LoginAttempts, PasswordHashing } from "edgehelm/auth";
import { errors } from "./errors.ts";
import type { UserRow } from "./store.ts";

/** The time after a login in which a user need not prove again to know the password. */
const LOGIN_SECONDS = 600n;

export interface RecentLoginDeps {
  readonly passwords: PasswordHashing;
  readonly attempts: LoginAttempts;
  readonly clock: Clock;
}

/**
 * Refuses a user who has not logged in recently and does not know the password: a stolen token must not suffice to take
 * an account over. It must run outside a transaction, because failures are counted.
 */
export async function requireRecentLogin(
  { passwords, attempts, clock }: RecentLoginDeps,
  call: Call,
  user: UserRow,
  field: string,
  password: string,
): Promise<void> {
  if (unixSeconds(clock) - user.loggedInAt < LOGIN_SECONDS) return;
  if (password === "") throw errors.old_password_required(Number(LOGIN_SECONDS / 60n), field);
  const isRight = await attempts.guard(call, `user ${user.username}`, async () => {
    const matches = user.password === ""
      ? await passwords.verifyNothing(call, password)
      : await passwords.verify(call, password, user.password);
    return matches ? true : undefined;
  });
  if (isRight === undefined) throw errors.old_password_wrong(field);
}
