import { describe, expect, test } from "vitest";
import { PlanService } from "../../../plugins/plan/proto/service_plan_pb.ts";
import { admin, create, edgehelm, json, plans, useKernel } from "./rig.ts";

const { deletePlan } = PlanService.method;

useKernel();

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
