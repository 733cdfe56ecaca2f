import { definePlugin, optional, type Plugin } from "edgehelm";
import { Plans, PlanUses } from "../plan/contract.ts";
import { ServerReferenceKeepers, Servers } from "../server/contract.ts";
import { UserRemovals, Users } from "../user/contract.ts";
import { UserAccounts } from "../user_account/contract.ts";
import { UserPlans } from "./contract.ts";
import { findHandlers } from "./handlers/find.ts";
import { manageHandlers } from "./handlers/manage.ts";
import { tradeHandlers } from "./handlers/trade.ts";
import { migrations } from "./migrations/mod.ts";
import manifest from "./plugin.json" with { type: "json" };
import { UserPlanService } from "./proto/service_user_plan_pb.ts";
import { userPlanLists } from "./store_lists.ts";
import { type Tables, userPlanStore } from "./store.ts";
import { notifyOfExpired, planUses, userPlansOver } from "./user_plans.ts";

const plugin: Plugin = definePlugin({
  manifest,
  migrations,
  requires: { accounts: UserAccounts, plans: Plans, users: Users, servers: optional(Servers) },
  setup({ db, clock, deps, serve, provide, contribute, every }) {
    const tables = db<Tables>();
    const userPlans = userPlanStore(tables);
    const parts = { ...deps, userPlans, lists: userPlanLists(tables), clock };
    serve(UserPlanService, { ...tradeHandlers(parts), ...manageHandlers(parts), ...findHandlers(parts) });
    const plansOfUsers = userPlansOver(userPlans, clock);
    provide(UserPlans, plansOfUsers);
    contribute(ServerReferenceKeepers, {
      kind: "user_plan",
      requireFor: async (call, field, id, userId) => void await plansOfUsers.requireUsable(call, field, id, userId),
    });
    contribute(PlanUses, planUses(userPlans));
    contribute(UserRemovals, {
      removeSome: (call, userId, limit) => userPlans.removeSomeOfUser.run(call, { userId, limit }),
    });
    const tell = { name: "tell_expired", everySeconds: 600 };
    every({ ...tell, run: (call) => notifyOfExpired(call, userPlans, deps.servers, clock) });
  },
});
export default plugin;
