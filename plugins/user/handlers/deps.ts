import type { AccessTokens, Call, Clock, LoginAttempts, PasswordHashing } from "edgehelm";
import type { UserFeatureDefinition, UserFigures, UserServersCheck, UserServersListener } from "../contract.ts";
import type { UserStore } from "../store.ts";
import type { UserChanges } from "../store_changes.ts";
import type { UserRegister } from "../users.ts";

/** What the handlers work with. */
export interface Deps {
  readonly users: UserStore;
  readonly changes: UserChanges;
  readonly register: UserRegister;
  readonly passwords: PasswordHashing;
  readonly attempts: LoginAttempts;
  readonly tokens: AccessTokens;
  readonly clock: Clock;
  readonly dashboards: readonly UserFigures[];
  readonly serversChecks: readonly UserServersCheck[];
  readonly serversListeners: readonly UserServersListener[];
  /** Every feature that there is; complete once the kernel runs. */
  readonly features: () => readonly UserFeatureDefinition[];
}

/** Says that a user's sites are to be served no more, or again. */
export async function notifyOfServers({ serversListeners }: Deps, call: Call, userId: bigint): Promise<void> {
  for (const listener of serversListeners) await listener.changed(call, userId);
}
