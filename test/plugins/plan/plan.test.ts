import { as } from "edgehelm/testing";
import { expect, test } from "vitest";
import { PlanService } from "../../../plugins/plan/proto/service_plan_pb.ts";
import { admin, bought, create, edgehelm, json, monthly, useKernel } from "./rig.ts";

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

const ada = as.user(7n);

useKernel();

const parsed = (bytes: Uint8Array | undefined) => JSON.parse(new TextDecoder().decode(bytes));

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
