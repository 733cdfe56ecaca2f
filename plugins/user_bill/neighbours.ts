import type { NodePriceItems } from "../node_price_item/contract.ts";
import type { NodeRegions } from "../node_region/contract.ts";
import type { Plans } from "../plan/contract.ts";
import type { Servers } from "../server/contract.ts";
import type { ServerDailyStats } from "../server_daily_stat/contract.ts";
import type { Users } from "../user/contract.ts";
import type { UserAccounts } from "../user_account/contract.ts";
import type { UserPlans } from "../user_plan/contract.ts";

/** What bills are made with. Without statistics none are made; without the others nothing is charged by them. */
export interface Neighbours {
  readonly users: Users;
  readonly accounts: UserAccounts;
  readonly stats: ServerDailyStats | undefined;
  readonly servers: Servers | undefined;
  readonly plans: Plans | undefined;
  readonly userPlans: UserPlans | undefined;
  readonly regions: NodeRegions | undefined;
  readonly priceItems: NodePriceItems | undefined;
}
