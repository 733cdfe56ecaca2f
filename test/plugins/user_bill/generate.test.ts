import { as, testKernel } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import accounts from "../../../plugins/user_account/plugin.ts";
import plugin from "../../../plugins/user_bill/plugin.ts";
import { UserBillService } from "../../../plugins/user_bill/proto/service_user_bill_pb.ts";
import { admin, billKernel, billsOf, charge, GB, generate, Network } from "./rig.ts";

const { generateAllUserBills, listUserBills } = UserBillService.method;
const perGB = { trafficPricePerGB: 0.1 };

describe("generateAllUserBills", () => {
  test.each([
    [{}, "month: either a month or a day is required"],
    [{ month: "202605", day: "20260501" }, "month: either a month or a day is required"],
    [{ month: "202613" }, 'month: must be a month such as 202601, got "202613"'],
    [{ month: "202606" }, "month: must have ended, got 202606"],
    [{ day: "20260615" }, "day: must have ended, got 2026-06-15"],
    [{ day: "yesterday" }, 'day: must be a day such as 2026-01-31, got "yesterday"'],
  ])("refuses %o", async (request, message) => {
    await using edgehelm = await billKernel(new Network());
    await expect(edgehelm.call(admin, generateAllUserBills, request)).rejects.toMatchObject({ code: 400, message });
  });

  test("refuses the call if no plugin provides statistics", async () => {
    const [, ...stubs] = new Network().stubs;
    await using edgehelm = await testKernel({ plugins: [plugin, accounts], stubs });
    await expect(edgehelm.call(admin, generateAllUserBills, { month: "202001" }))
      .rejects.toMatchObject({ code: 503, reason: "user_bill.no_statistics" });
  });

  test("bills ten thousand users in one call without blocking other calls", async () => {
    const network = new Network();
    for (let userId = 1n; userId <= 10_000n; userId++) network.send(userId, "20260510", userId * GB);
    await using edgehelm = await billKernel(network, perGB);
    await charge(edgehelm, 1n, 1);
    const startedAt = performance.now();
    let isFinished = false;
    const run = generate(edgehelm, { month: "202605" }).finally(() => isFinished = true);
    let rounds = 0;
    for (; !isFinished; rounds++) {
      await charge(edgehelm, 1n, 1);
      await edgehelm.call(as.user(2n), listUserBills, { paidFlag: -1 });
    }
    await run;
    console.log(`10 000 bills in ${Math.round(performance.now() - startedAt)} ms with ${2 * rounds} concurrent calls`);
    expect(rounds).toBeGreaterThan(5);
    const { count } = await edgehelm.call(admin, UserBillService.method.countAllUserBills, { month: "202605" });
    expect(count).toBe(10_000n);
    expect(await billsOf(edgehelm, 10_000n)).toMatchObject([{ amount: 1000 }]);
  });
});
