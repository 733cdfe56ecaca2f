import { definePlugin, invalid } from "edgehelm";
import { as, stub, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NodeClusters } from "../../../plugins/node_cluster/contract.ts";
import { Plans, PlanUses } from "../../../plugins/plan/contract.ts";
import plugin from "../../../plugins/plan/plugin.ts";
import { PlanService } from "../../../plugins/plan/proto/service_plan_pb.ts";

const {
  countAllEnabledPlans,
  createPlan,
  deletePlan,
  findAllAvailableBasicPlans,
  findAllAvailablePlans,
  findBasicPlan,
  findEnabledPlan,
  listEnabledPlans,
  sortPlans,
  updatePlan,
} = PlanService.method;
const admin = as.admin();
const ada = as.user(7n);
/** The plans that are in use. */
const bought = new Set<bigint>();

let plans: Plans;
const shop = definePlugin({
  manifest: { name: "shop", version: "1.0.0", kernel: "^1", services: [], tables: [] },
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

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin, shop], stubs: [stub(NodeClusters, clusters)] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const parsed = (bytes: Uint8Array | undefined) => JSON.parse(new TextDecoder().decode(bytes));
const monthly = { name: "small", priceType: "period", monthlyPrice: 9.99 };

async function create(request = {}): Promise<bigint> {
  return (await edgehelm.call(admin, createPlan, { ...monthly, ...request })).planId;
}

test.each(["http", "connect", "grpcweb"] as const)("an admin manages a plan over %s", async (wire) => {
  const request = { ...monthly, clusterId: 1n, yearlyPrice: 99.9, totalServers: 3, featuresJSON: json(["waf", "waf"]) };
  const { planId } = await edgehelm.call(admin, createPlan, request, wire);
  const { plan } = await edgehelm.call(ada, findEnabledPlan, { planId }, wire);
  expect(plan).toMatchObject({ id: planId, isOn: true, monthlyPrice: 9.99, yearlyPrice: 99.9, totalServers: 3 });
  expect(parsed(plan?.featuresJSON)).toEqual(["waf"]);
  const basic = await edgehelm.call(ada, findBasicPlan, { planId }, wire);
  expect(basic.plan).toMatchObject({ id: planId, name: "small", clusterId: 1n, monthlyPrice: 0 });

  const { count } = await edgehelm.call(admin, countAllEnabledPlans, {}, wire);
  const changed = { ...monthly, planId, name: "tiny", clusterId: 1n, isOn: false };
  await edgehelm.call(admin, updatePlan, changed, wire);
  const updated = (await edgehelm.call(admin, findEnabledPlan, { planId }, wire)).plan;
  expect(updated).toMatchObject({ name: "tiny", isOn: false, yearlyPrice: 0, totalServers: 0 });
  expect(parsed(updated?.featuresJSON), "an empty JSON field keeps its value").toEqual(["waf"]);
  const ids = async (method: typeof findAllAvailablePlans | typeof findAllAvailableBasicPlans) =>
    (await edgehelm.call(ada, method as typeof findAllAvailablePlans, {}, wire)).plans.map(({ id }) => id);
  expect(await ids(findAllAvailablePlans)).not.toContain(planId);
  expect(await ids(findAllAvailableBasicPlans)).not.toContain(planId);
  const listed = await edgehelm.call(admin, listEnabledPlans, { size: 1000n }, wire);
  expect(listed.plans.map(({ id }) => id)).toContain(planId);

  await edgehelm.call(admin, deletePlan, { planId }, wire);
  expect((await edgehelm.call(admin, countAllEnabledPlans, {}, wire)).count).toBe(count - 1n);
  expect(await edgehelm.call(admin, findEnabledPlan, { planId }, wire)).not.toHaveProperty("plan");
  await expect(edgehelm.call(admin, updatePlan, changed, wire)).rejects.toMatchObject({ code: 404 });
});

describe("createPlan refuses", () => {
  test.each([
    [{ name: " " }, "name: must not be empty"],
    [{ priceType: "hourly" }, 'priceType: must be one of period, traffic, bandwidth, got "hourly"'],
    [{ clusterId: 5n }, "clusterId: cluster 5 does not exist"],
    [{ monthlyPrice: 1.005 }, "monthlyPrice: must have at most 2 decimals, got 1.005"],
    [{ totalServers: -1 }, "totalServers: must not be negative, got -1"],
    [{ priceType: "traffic" }, "trafficPriceJSON: is required for a plan of the price type traffic"],
    [{ trafficPriceJSON: json({ base: -1 }) }, "trafficPriceJSON.base: must not be negative, got -1"],
    [{ bandwidthPriceJSON: json({ percentile: 101 }) }, "bandwidthPriceJSON.percentile: must be 1 to 100, got 101"],
    [{ bandwidthPriceJSON: json({}) }, "bandwidthPriceJSON.ranges: must have 1 to 100 ranges, got 0"],
    [
      { bandwidthPriceJSON: json({ ranges: [{ minMB: 10, maxMB: 5 }] }) },
      "bandwidthPriceJSON.ranges[0].maxMB: must be 0 for no upper bound, or greater than minMB (10), got 5",
    ],
    [{ featuresJSON: json({ waf: true }) }, "featuresJSON: must be a JSON array of at most 200 feature codes"],
    [
      { maxUploadSizeJSON: json({ count: 1, unit: "bit" }) },
      'maxUploadSizeJSON.unit: must be one of byte, kb, mb, gb, tb, pb, eb, got "bit"',
    ],
  ])("%o", async (wrong, message) => {
    await expect(create(wrong)).rejects.toMatchObject({ code: 400, message });
  });
});

test("sortPlans moves the listed plans to the front in their order", async () => {
  const [a, b, c] = [await create(), await create(), await create()];
  const order = async () => (await edgehelm.call(admin, listEnabledPlans, {})).plans.map(({ id }) => id).slice(0, 3);
  expect(await order()).toEqual([c, b, a]);
  await edgehelm.call(admin, sortPlans, { planIds: [b!, c!] });
  expect((await order()).slice(0, 2)).toEqual([b, c]);
  await expect(edgehelm.call(admin, sortPlans, { planIds: [a!, 999n] })).rejects.toMatchObject({ code: 404 });
});

test("deletePlan refuses a plan that is in use", async () => {
  const planId = await create();
  bought.add(planId);
  await expect(edgehelm.call(admin, deletePlan, { planId })).rejects.toMatchObject({
    code: 409,
    reason: "plan.in_use",
    message: `plan ${planId} is used by user plan "ada's"`,
  });
});

describe("the contract", () => {
  const call = () => edgehelm.kernel.systemCall("test");

  test("returns prices as exact integers, including those of deleted plans", async () => {
    const traffic = await create({ priceType: "traffic", trafficPriceJSON: json({ base: 0.07 }) });
    const ranges = [{ minMB: 0, maxMB: 1.5, totalPrice: 20 }, { minMB: 1.5, pricePerMB: 0.3 }];
    const bandwidth = await create({ priceType: "bandwidth", bandwidthPriceJSON: json({ ranges }) });
    await edgehelm.call(admin, deletePlan, { planId: traffic });
    const charges = await plans.charges(call(), [traffic, bandwidth, 999n]);
    expect(Object.fromEntries(charges)).toEqual({
      [`${traffic}`]: { priceType: "traffic", pricePerGB: 70_000n },
      [`${bandwidth}`]: {
        priceType: "bandwidth",
        bandwidth: {
          percentile: 95,
          steps: [
            { min: 0n, max: 1_500_000n, pricePerMB: 0n, totalPrice: 20_000_000n },
            { min: 1_500_000n, max: 0n, pricePerMB: 300_000n, totalPrice: 0n },
          ],
        },
      },
    });
  });

  test("refuses a plan that does not exist with an error that names the field", async () => {
    const planId = await create({ seasonallyPrice: 27 });
    expect(await plans.requirePlan(call(), "planId", planId))
      .toMatchObject({ priceType: "period", periodPrices: { monthly: 999n, seasonally: 2700n, yearly: 0n } });
    await expect(plans.requirePlan(call(), "planId", 999n)).rejects.toThrow("planId: plan 999 does not exist");
    expect((await plans.summaries(call(), [planId, 999n])).size).toBe(1);
  });
});
