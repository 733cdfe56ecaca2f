import type { Events } from "edgehelm/runtime";
import type { NodePriceItems } from "../node_price_item/contract.ts";
import type { NodeRegions } from "../node_region/contract.ts";
import type { Plans } from "../plan/contract.ts";
import type { Servers } from "../server/contract.ts";
import type { ServerDailyStats } from "../server_daily_stat/contract.ts";
import type { Users, UserStates } from "../user/contract.ts";
import type { UserAccounts } from "../user_account/contract.ts";
import type { UserPlans } from "../user_plan/contract.ts";
import type { UserTrafficPackages } from "../user_traffic_package/contract.ts";

/** The contracts that billing uses. Without statistics, bills cannot be generated; the other optional ones are skipped. */
export interface BillingDeps {
  readonly events: Events;
  readonly users: Users;
  readonly states: UserStates;
  readonly accounts: UserAccounts;
  readonly stats: ServerDailyStats | undefined;
  readonly servers: Servers | undefined;
  readonly plans: Plans | undefined;
  readonly userPlans: UserPlans | undefined;
  readonly regions: NodeRegions | undefined;
  readonly priceItems: NodePriceItems | undefined;
  readonly packages: UserTrafficPackages | undefined;
}
