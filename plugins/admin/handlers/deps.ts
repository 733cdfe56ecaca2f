import type { AccessTokens, LoginAttempts, PasswordHashing } from "edgehelm";
import type { AdminRegister } from "../admins.ts";
import type { AdminDashboardFigures, AdminDeletion } from "../contract.ts";
import type { AdminStore } from "../store.ts";

/** What the handlers work with. */
export interface Deps {
  readonly admins: AdminStore;
  readonly register: AdminRegister;
  readonly passwords: PasswordHashing;
  readonly attempts: LoginAttempts;
  readonly tokens: AccessTokens;
  readonly deletions: readonly AdminDeletion[];
  readonly dashboard: readonly AdminDashboardFigures[];
}
