import type { Call, Clock } from "edgehelm";
import type { LoginAttempts, PasswordHashing } from "edgehelm/auth";
import type { UserFeatureDefinition, UserFigures, UserServersCheck, UserServersListener } from "../contract.ts";
import type { UserStore } from "../store.ts";
import type { UserChanges } from "../store_changes.ts";
import type { UserDirectory } from "../user_directory.ts";

/** The dependencies of the handlers. */
export interface Deps {
  readonly users: UserStore;
  readonly changes: UserChanges;
  readonly directory: UserDirectory;
  readonly passwords: PasswordHashing;
  readonly attempts: LoginAttempts;
  readonly clock: Clock;
  /** True if users need not prove to know the old password when they change it. */
  readonly loginWithoutOldPassword: boolean;
  readonly dashboards: readonly UserFigures[];
  readonly serversChecks: readonly UserServersCheck[];
  readonly serversListeners: readonly UserServersListener[];
  /** Returns all features; complete after all plugins have been set up. */
  readonly features: () => readonly UserFeatureDefinition[];
}

/** Notifies the listeners that the sites of a user stop or resume being served. */
export async function notifyServersListeners({ serversListeners }: Deps, call: Call, userId: bigint): Promise<void> {
  for (const listener of serversListeners) await listener.changed(call, userId);
}
