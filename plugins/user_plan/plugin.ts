import { definePlugin, optional, type Plugin } from "edgehelm";
import { Events } from "edgehelm/runtime";
import { usedBy } from "edgehelm/rows";
import { PlanHolders, PlanListeners, Plans, PlanUses } from "../plan/contract.ts";
import { ServerReferenceResolvers, Servers } from "../server/contract.ts";
import { UserRemovals, Users, UserStates } from "../user/contract.ts";
import { UserAccounts } from "../user_account/contract.ts";
import { UserQuotaDeclarations, UserQuotaOverrides, UserQuotas } from "../user_quota/contract.ts";
import { UserPlanListeners, UserPlans } from "./contract.ts";
import { announceEnds, stopEnded } from "./ends.ts";
import { errors } from "./errors.ts";
import { EVENTS } from "./events.ts";
import { userPlanHandlers } from "./handlers/mod.ts";
import { planHolders } from "./holders.ts";
import { migrations } from "./migrations/mod.ts";
import manifest from "./plugin.json" with { type: "json" };
import { UserPlanConfigSchema } from "./proto/config_pb.ts";
import { UserPlanService } from "./proto/service_user_plan_pb.ts";
import { quotasOfPlans, USER_PLANS } from "./quota.ts";
import { userPlanReference } from "./reference.ts";
import { markSitesOfChangedPlans, markSitesOfPlan } from "./sites.ts";
import { userPlanLists } from "./store_lists.ts";
import { type Tables, userPlanStore } from "./store.ts";
import { PlanTerms } from "./terms.ts";
import { userPlansContract } from "./user_plans.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations,
  events: EVENTS,
  config: UserPlanConfigSchema,
  requires: {
    events: Events,
    accounts: UserAccounts,
    plans: Plans,
    users: Users,
    states: UserStates,
    servers: optional(Servers),
    quotas: optional(UserQuotas),
  },
  setup({ db, config, clock, deps, serve, provide, contribute, contributions, every }) {
    const tables = db<Tables>();
    const userPlans = userPlanStore(tables);
    const lists = userPlanLists(tables);
    const handlerDeps = { ...deps, userPlans, lists, clock };
    serve(UserPlanService, userPlanHandlers(handlerDeps));
    const contract = userPlansContract(userPlans, clock);
    provide(UserPlans, contract);
    const terms = new PlanTerms(config, clock);
    contribute(ServerReferenceResolvers, userPlanReference({ ...handlerDeps, contract, terms }));
    contribute(PlanListeners, { changed: (call, planId) => markSitesOfPlan(handlerDeps, call, planId) });
    const holders = planHolders(lists, clock);
    contribute(PlanHolders, holders);
    contribute(PlanUses, usedBy(userPlans.ofPlan, ({ name, userId }) => `user plan "${name}" of user ${userId}`));
    contribute(UserQuotaDeclarations, USER_PLANS);
    contribute(UserQuotaOverrides, quotasOfPlans(holders, deps.plans));
    contribute(UserRemovals, userPlans);
    const ends = { ...handlerDeps, terms, listeners: contributions(UserPlanListeners) };
    every({ name: "mark_changed", everySeconds: 5, run: (call) => markSitesOfChangedPlans(call, handlerDeps) });
    every({ name: "announce_ends", everySeconds: 60, run: (call) => announceEnds(call, ends) });
    every({ name: "stop_ended", everySeconds: 60, run: (call) => stopEnded(call, ends) });
  },
});
export default plugin;
