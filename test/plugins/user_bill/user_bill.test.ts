import { testKernel } from "edgehelm/testing";
import { expect, test } from "vitest";
import accounts from "../../../plugins/user_account/plugin.ts";
import plugin from "../../../plugins/user_bill/plugin.ts";
import { UserBillService } from "../../../plugins/user_bill/proto/service_user_bill_pb.ts";
import { consumer, removals, suspensions } from "./bills_rig.ts";
import { admin, billKernel, billsOf, charge, GB, generate, june15, Network } from "./rig.ts";

const { countAllUserBills, payUserBill } = UserBillService.method;

test("a user with an overdue bill owes what is overdue until it is paid", async () => {
  const overdue = new Network();
  const time = june15();
  overdue.send(5n, "20260510", GB);
  await using own = await testKernel({
    plugins: [plugin, accounts, consumer],
    stubs: overdue.stubs,
    config: { user_bill: { trafficPricePerGB: 1, overdueDays: 10 } },
    clock: time,
  });
  const isOverdue = async () => {
    const call = own.kernel.systemCall("test");
    const owing = await Promise.all(suspensions.map((suspension) => suspension.overdue(call, [4n, 5n])));
    return owing.some((userIds) => userIds.has(5n));
  };
  await generate(own, { month: "202605" });
  time.advance(10 * 86_400);
  expect([await isOverdue(), (await billsOf(own, 5n))[0]!.isOverdue]).toEqual([false, false]);
  time.advance(1);
  expect([await isOverdue(), (await billsOf(own, 5n))[0]!.isOverdue]).toEqual([true, true]);
  await charge(own, 5n, 1);
  await own.call(admin, payUserBill, { userBillId: (await billsOf(own, 5n))[0]!.id });
  expect([await isOverdue(), (await billsOf(own, 5n))[0]!.isOverdue]).toEqual([false, false]);
  expect(overdue.derived).toEqual([5n]);
});

test("unpaid bills are deleted with their user, paid ones are kept and mark the user as deleted", async () => {
  const network = new Network();
  for (const day of ["20260310", "20260410", "20260510"]) network.send(5n, day, GB);
  await using own = await testKernel({
    plugins: [plugin, accounts, consumer],
    stubs: network.stubs,
    config: { user_bill: { trafficPricePerGB: 1 } },
    clock: june15(),
  });
  for (const month of ["202603", "202604", "202605"]) await generate(own, { month });
  await charge(own, 5n, 1);
  await own.call(admin, payUserBill, { userBillId: (await billsOf(own, 5n))[0]!.id });
  network.deletedUsers.add(5n);
  const remove = (limit: number) =>
    Promise.all(
      removals.map((removal) =>
        own.kernel.systemCall("test").transact((inner) => removal.removeSome(inner, 5n, limit))
      ),
    );
  expect(Math.max(...(await remove(1)).map(Number))).toBe(1);
  expect(Math.max(...(await remove(5)).map(Number))).toBe(1);
  const bills = await billsOf(own, 5n);
  expect(bills).toMatchObject([{ month: "202603", isPaid: true, user: { id: 5n, isDeleted: true, username: "" } }]);
  expect((await own.call(admin, countAllUserBills, { paidFlag: -1 })).count).toBe(1n);
});

test.each([
  [{ priceType: "requests" }, 'priceType: must be one of traffic, bandwidth, got "requests"'],
  [{ pricePeriod: "hourly" }, 'pricePeriod: must be one of daily, monthly, got "hourly"'],
  [{ trafficPricePerGB: -1 }, "trafficPricePerGB: must not be negative, got -1"],
  [{ bandwidthPercentile: 101 }, "bandwidthPercentile: must be 1 to 100, got 101"],
  [{ overdueDays: -1 }, "overdueDays: must not be negative, got -1"],
])("the configuration %o is refused at startup", async (config, message) => {
  await expect(billKernel(new Network(), config)).rejects.toThrow(message);
});
