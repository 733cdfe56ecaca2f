import type { AccessTokens, LoginAttempts, Module, PasswordHashing } from "edgehelm/auth";
import type { LoginAddresses, SecondFactors } from "../../login/contract.ts";
import type { AdminRegistry } from "../admins.ts";
import type { AdminDashboardFigures, AdminDeletion } from "../contract.ts";
import type { AdminStore } from "../store.ts";

/** The dependencies of the handlers. */
export interface Deps {
  readonly admins: AdminStore;
  readonly registry: AdminRegistry;
  readonly passwords: PasswordHashing;
  readonly attempts: LoginAttempts;
  readonly factors: SecondFactors | undefined;
  readonly addresses: LoginAddresses | undefined;
  readonly tokens: AccessTokens;
  readonly modules: readonly Module[];
  readonly deletions: readonly AdminDeletion[];
  readonly dashboard: readonly AdminDashboardFigures[];
}
