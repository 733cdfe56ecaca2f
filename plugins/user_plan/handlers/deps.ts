import type { Clock } from "edgehelm";
import type { Plans } from "../../plan/contract.ts";
import type { Servers } from "../../server/contract.ts";
import type { Users } from "../../user/contract.ts";
import type { UserAccounts } from "../../user_account/contract.ts";
import type { UserPlanLists } from "../store_lists.ts";
import type { UserPlanStore } from "../store.ts";

/** What other plugins know of a plan's surroundings. */
export interface Neighbours {
  readonly accounts: UserAccounts;
  readonly plans: Plans;
  readonly users: Users;
  readonly servers: Servers | undefined;
}

/** What the handlers work with. */
export interface Deps extends Neighbours {
  readonly userPlans: UserPlanStore;
  readonly lists: UserPlanLists;
  readonly clock: Clock;
}
