import type { AccessTokens, Clock, LoginAttempts, PasswordHashing } from "edgehelm";
import type { UserFeatureDefinition, UserFigures, UserServersCheck } from "../contract.ts";
import type { UserStore } from "../store.ts";
import type { UserChanges } from "../store_changes.ts";
import type { UserRegister } from "../users.ts";

/** What the handlers work with. */
export interface Parts {
  readonly users: UserStore;
  readonly changes: UserChanges;
  readonly register: UserRegister;
  readonly passwords: PasswordHashing;
  readonly attempts: LoginAttempts;
  readonly tokens: AccessTokens;
  readonly clock: Clock;
  readonly dashboards: readonly UserFigures[];
  readonly serversChecks: readonly UserServersCheck[];
  /** Every feature that there is; complete once the kernel runs. */
  readonly features: () => readonly UserFeatureDefinition[];
}
