import { definePlugin, optional, type Plugin } from "edgehelm";
import { usedBy } from "edgehelm/rows";
import { NodeConfigParts } from "../node/contract.ts";
import { NodeClusters, NodeClusterUses } from "../node_cluster/contract.ts";
import { Users } from "../user/contract.ts";
import { UserQuotas } from "../user_quota/contract.ts";
import { ClusterAudiences, PlanListeners, Plans, PlanUses } from "./contract.ts";
import { errors } from "./errors.ts";
import { plansPart } from "./configs.ts";
import { planHandlers } from "./handlers.ts";
import * as createPlans from "./migrations/0001_create_plans.ts";
import * as addQuotas from "./migrations/0002_add_quotas.ts";
import { plansContract } from "./plans.ts";
import manifest from "./plugin.json" with { type: "json" };
import { PlanService } from "./proto/service_plan_pb.ts";
import { planStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_plans": createPlans, "0002_add_quotas": addQuotas },
  requires: { clusters: optional(NodeClusters), quotas: optional(UserQuotas), users: optional(Users) },
  setup({ db, deps: { clusters, ...known }, serve, provide, contribute, contributions }) {
    const plans = planStore(db<Tables>());
    serve(PlanService, planHandlers(plans, clusters, contributions(PlanUses), known, contributions(PlanListeners)));
    const contract = plansContract(plans);
    provide(Plans, contract);
    contribute(NodeConfigParts, plansPart(plans));
    contribute(ClusterAudiences, { list: "planIds", noun: "plan", objects: contract });
    contribute(NodeClusterUses, usedBy(plans.namesOnCluster, ({ name }) => `plan "${name}"`));
  },
});
export default plugin;
