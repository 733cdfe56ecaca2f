import { definePlugin, optional, type Plugin } from "edgehelm";
import { usedBy } from "edgehelm/rows";
import { PlanHolders, Plans, PlanUses } from "../plan/contract.ts";
import { ServerReferenceResolvers, Servers } from "../server/contract.ts";
import { UserRemovals, Users } from "../user/contract.ts";
import { UserAccounts } from "../user_account/contract.ts";
import { UserQuotaDeclarations, UserQuotaOverrides, UserQuotas } from "../user_quota/contract.ts";
import { UserPlans } from "./contract.ts";
import { errors } from "./errors.ts";
import { findHandlers } from "./handlers/find.ts";
import { manageHandlers } from "./handlers/manage.ts";
import { purchaseHandlers } from "./handlers/purchase.ts";
import { planHolders } from "./holders.ts";
import * as createUserPlans from "./migrations/0001_create_user_plans.ts";
import manifest from "./plugin.json" with { type: "json" };
import { UserPlanService } from "./proto/service_user_plan_pb.ts";
import { quotasOfPlans, USER_PLANS } from "./quota.ts";
import { userPlanLists } from "./store_lists.ts";
import { type Tables, userPlanStore } from "./store.ts";
import { clusterOfPlan, notifyOfExpired, userPlansContract } from "./user_plans.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  migrations: { "0001_create_user_plans": createUserPlans },
  requires: {
    accounts: UserAccounts,
    plans: Plans,
    users: Users,
    servers: optional(Servers),
    quotas: optional(UserQuotas),
  },
  setup({ db, clock, deps, serve, provide, contribute, every }) {
    const tables = db<Tables>();
    const userPlans = userPlanStore(tables);
    const lists = userPlanLists(tables);
    const handlerDeps = { ...deps, userPlans, lists, clock };
    serve(UserPlanService, {
      ...purchaseHandlers(handlerDeps),
      ...manageHandlers(handlerDeps),
      ...findHandlers(handlerDeps),
    });
    const contract = userPlansContract(userPlans, clock);
    provide(UserPlans, contract);
    contribute(ServerReferenceResolvers, {
      kind: "user_plan",
      requireFor: async (call, field, id, userId) => void await contract.requireUsable(call, field, id, userId),
      clusterOf: (call, id) => clusterOfPlan(call, handlerDeps, id),
    });
    const holders = planHolders(lists, clock);
    contribute(PlanHolders, holders);
    contribute(PlanUses, usedBy(userPlans.ofPlan, ({ name, userId }) => `user plan "${name}" of user ${userId}`));
    contribute(UserQuotaDeclarations, USER_PLANS);
    contribute(UserQuotaOverrides, quotasOfPlans(holders, deps.plans));
    contribute(UserRemovals, userPlans);
    const job = { name: "notify_expired", everySeconds: 600 };
    every({ ...job, run: (call) => notifyOfExpired(call, userPlans, deps.servers, clock) });
  },
});
export default plugin;
