import { definePlugin, invalid } from "edgehelm";
import { as, stub, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll } from "vitest";
import { NodeClusters } from "../../../plugins/node_cluster/contract.ts";
import { Plans, PlanUses } from "../../../plugins/plan/contract.ts";
import plugin from "../../../plugins/plan/plugin.ts";
import { PlanService } from "../../../plugins/plan/proto/service_plan_pb.ts";

const { createPlan } = PlanService.method;
export const admin = as.admin();
/** The plans that are in use. */
export const bought = new Set<bigint>();

export let plans: Plans;
const shop = definePlugin({
  manifest: { name: "shop", version: "1.0.0", kernel: "^1", services: [], tables: [], contributes: ["plan.uses"] },
  requires: { plans: Plans },
  setup({ deps, contribute }) {
    plans = deps.plans;
    contribute(PlanUses, { referencesTo: async (_call, id) => bought.has(id) ? ['user plan "ada\'s"'] : [] });
  },
});

const clusters: Partial<NodeClusters> = {
  async requireCluster(_call, field, id) {
    if (id !== 1n) throw invalid(field, `cluster ${id} does not exist`);
  },
};

export let edgehelm: TestKernel;

/** Opens the kernel before the tests of a file, and closes it after them. */
export function useKernel(): void {
  beforeAll(async () => {
    edgehelm = await testKernel({ plugins: [plugin, shop], stubs: [stub(NodeClusters, clusters)] });
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());
}

export const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
export const monthly = { name: "small", priceType: "period", monthlyPrice: 9.99 };

export async function create(request = {}): Promise<bigint> {
  return (await edgehelm.call(admin, createPlan, { ...monthly, ...request })).planId;
}
