import { definePlugin, optional, type Plugin } from "edgehelm";
import { usedBy } from "edgehelm/rows";
import { NodeClusters, NodeClusterUses } from "../node_cluster/contract.ts";
import { Plans, PlanUses } from "./contract.ts";
import { errors } from "./errors.ts";
import { planHandlers } from "./handlers.ts";
import * as createPlans from "./migrations/0001_create_plans.ts";
import { plansContract } from "./plans.ts";
import manifest from "./plugin.json" with { type: "json" };
import { PlanService } from "./proto/service_plan_pb.ts";
import { planStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  migrations: { "0001_create_plans": createPlans },
  requires: { clusters: optional(NodeClusters) },
  setup({ db, deps: { clusters }, serve, provide, contribute, contributions }) {
    const plans = planStore(db<Tables>());
    serve(PlanService, planHandlers(plans, clusters, contributions(PlanUses)));
    provide(Plans, plansContract(plans));
    contribute(NodeClusterUses, usedBy(plans.namesOnCluster, ({ name }) => `plan "${name}"`));
  },
});
export default plugin;
