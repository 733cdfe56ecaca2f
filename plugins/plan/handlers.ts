import { type Call, type Handlers, idField, listField, type UseCheck } from "edgehelm";
import { countRows, deleteRow, findRow, listRows, pageRows } from "edgehelm/rows";
import type { NodeClusters } from "../node_cluster/contract.ts";
import type { PlanListener } from "./contract.ts";
import { errors } from "./errors.ts";
import { basicMessage, planMessage } from "./plans.ts";
import { type Known, planFields } from "./rules.ts";
import type { PlanService } from "./proto/service_plan_pb.ts";
import type { PlanFields, PlanStore } from "./store.ts";

export function planHandlers(
  plans: PlanStore,
  clusters: NodeClusters | undefined,
  uses: readonly UseCheck[],
  known: Known,
  listeners: readonly PlanListener[],
): Handlers<typeof PlanService> {
  async function requireCluster(call: Call, { clusterId }: PlanFields): Promise<void> {
    if (clusterId !== 0n) await clusters?.requireCluster(call, "clusterId", clusterId);
  }

  return {
    async createPlan(request, call) {
      const fields = planFields(request, known);
      await requireCluster(call, fields);
      const { id } = await plans.insert.one(call, fields);
      return { planId: id };
    },

    async updatePlan(request, call) {
      const current = await plans.require(call, "planId", request.planId);
      const fields = planFields(request, known, current);
      if (fields.clusterId !== current.clusterId) await requireCluster(call, fields);
      await plans.update.run(call, { id: current.id, ...fields, isOn: request.isOn });
      for (const listener of listeners) await listener.changed(call, current.id);
      return {};
    },

    deletePlan: deleteRow(plans, "planId", { uses, inUse: errors.in_use }),

    findEnabledPlan: findRow(plans, "planId", "plan", planMessage),

    findBasicPlan: findRow(plans, "planId", "plan", basicMessage),

    countAllEnabledPlans: countRows(plans.list, () => ({})),
    listEnabledPlans: pageRows(plans.list, "plans", planMessage, () => ({})),
    findAllAvailablePlans: listRows(plans.list, "plans", planMessage, () => ({ isOn: true })),
    findAllAvailableBasicPlans: listRows(plans.list, "plans", basicMessage, () => ({ isOn: true })),

    async sortPlans({ planIds }, call) {
      const ids = listField("planIds", planIds, idField, { unique: true });
      for (const [index, { id }] of (await plans.requireAll(call, ids)).entries()) {
        await plans.setOrder.defer(call, { id, order: BigInt(ids.length - index) });
      }
      return {};
    },
  };
}
