import type { Clock } from "edgehelm";
import type { Plans } from "../../plan/contract.ts";
import type { Servers } from "../../server/contract.ts";
import type { Users, UserStates } from "../../user/contract.ts";
import type { UserAccounts } from "../../user_account/contract.ts";
import type { UserQuotas } from "../../user_quota/contract.ts";
import type { UserPlanLists } from "../store_lists.ts";
import type { UserPlanStore } from "../store.ts";

/** The contracts of related plugins. */
export interface RelatedContracts {
  readonly accounts: UserAccounts;
  readonly plans: Plans;
  readonly users: Users;
  readonly states: UserStates;
  readonly servers: Servers | undefined;
  readonly quotas: UserQuotas | undefined;
}

/** The dependencies of the handlers. */
export interface Deps extends RelatedContracts {
  readonly userPlans: UserPlanStore;
  readonly lists: UserPlanLists;
  readonly clock: Clock;
}
