import type { Clock } from "edgehelm";
import type { LoginAttempts, PasswordHashing } from "edgehelm/auth";
import type { LoginAddresses, SecondFactors } from "../../login/contract.ts";
import type { NodeClusters } from "../../node_cluster/contract.ts";
import type { UserFeatureDefinition, UserFigures } from "../contract.ts";
import type { StateRegistry } from "../state_registry.ts";
import type { UserStore } from "../store.ts";
import type { UserChanges } from "../store_changes.ts";
import type { UserDirectory } from "../user_directory.ts";

/** The dependencies of the handlers. */
export interface Deps {
  readonly users: UserStore;
  readonly changes: UserChanges;
  readonly directory: UserDirectory;
  readonly states: StateRegistry;
  readonly passwords: PasswordHashing;
  readonly attempts: LoginAttempts;
  readonly clusters: NodeClusters | undefined;
  readonly factors: SecondFactors | undefined;
  readonly addresses: LoginAddresses | undefined;
  readonly clock: Clock;
  /** True if users need not prove to know the old password when they change it. */
  readonly loginWithoutOldPassword: boolean;
  readonly dashboards: readonly UserFigures[];
  /** Returns all features; complete after all plugins have been set up. */
  readonly features: () => readonly UserFeatureDefinition[];
}
