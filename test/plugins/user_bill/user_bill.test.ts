import { as, type TestKernel } from "edgehelm/testing";
import { definePlugin } from "edgehelm";
import { testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type UserRemoval,
  UserRemovals,
  type UserServersCheck,
  UserServersChecks,
} from "../../../plugins/user/contract.ts";
import accounts from "../../../plugins/user_account/plugin.ts";
import { UserAccountLogService } from "../../../plugins/user_account/proto/service_user_account_log_pb.ts";
import plugin from "../../../plugins/user_bill/plugin.ts";
import { UserBillService } from "../../../plugins/user_bill/proto/service_user_bill_pb.ts";
import { admin, balanceOf, billKernel, billsOf, charge, GB, generate, june15, Network } from "./rig.ts";

const { countAllUserBills, findUserBill, listUserBills, payUserBill, sumUserUnpaidBills } = UserBillService.method;

let removals: readonly UserRemoval[];
let checks: readonly UserServersCheck[];
const consumer = definePlugin({
  manifest: { name: "consumer", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  setup({ contributions }) {
    removals = contributions(UserRemovals);
    checks = contributions(UserServersChecks);
  },
});

const clock = june15();
const network = new Network();
let edgehelm: TestKernel;
/** Users with 10 GB at price 1 in April and in May each; users 50 and 51 have daily billing. */
const USERS = [7n, 8n, 9n, 10n, 11n, 12n];
beforeAll(async () => {
  edgehelm = await testKernel({
    plugins: [plugin, accounts, consumer],
    stubs: network.stubs,
    config: { user_bill: { trafficPricePerGB: 1, overdueDays: 10 } },
    clock,
  });
  for (const userId of USERS) for (const day of ["20260410", "20260510"]) network.send(userId, day, 10n * GB);
  for (const userId of [50n, 51n]) {
    network.terms.set(userId, { priceType: "", pricePeriod: "daily" });
    network.send(userId, "20260601", GB);
    network.send(userId, "20260612", GB);
  }
  for (const month of ["202604", "2026-05"]) await generate(edgehelm, { month });
  for (const day of ["20260601", "20260612"]) await generate(edgehelm, { day });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

describe("payUserBill", () => {
  test.each(["http", "connect", "grpcweb"] as const)("charges the account once over %s", async (wire) => {
    const userId = { http: 7n, connect: 8n, grpcweb: 9n }[wire];
    const user = as.user(userId);
    const [april] = await billsOf(edgehelm, userId);
    await charge(edgehelm, userId, 15);
    expect((await edgehelm.call(user, sumUserUnpaidBills, {}, wire)).amount).toBe(20);
    for (let times = 0; times < 3; times++) await edgehelm.call(user, payUserBill, { userBillId: april!.id }, wire);
    expect(await balanceOf(edgehelm, userId)).toBe(5);
    expect((await edgehelm.call(user, sumUserUnpaidBills, { userId: 12n }, wire)).amount).toBe(10);
    const { userBill } = await edgehelm.call(user, findUserBill, { code: april!.code }, wire);
    expect(userBill).toMatchObject({
      id: april!.id,
      isPaid: true,
      canPay: false,
      paidAt: BigInt(clock.now() / 1000),
      isOverdue: false,
    });
    const { userAccountLogs } = await edgehelm.call(user, UserAccountLogService.method.listUserAccountLogs, {}, wire);
    expect(userAccountLogs[0]).toMatchObject({ delta: -10, eventType: "payBill", description: `bill ${april!.code}` });
  });

  test("charges the account once for concurrent calls", async () => {
    const [bill] = await billsOf(edgehelm, 10n);
    await charge(edgehelm, 10n, 100);
    await Promise.all(
      Array.from({ length: 20 }, () => edgehelm.call(as.user(10n), payUserBill, { userBillId: bill!.id })),
    );
    expect(await balanceOf(edgehelm, 10n)).toBe(90);
  });

  test("refuses an insufficient balance and keeps the bill unpaid", async () => {
    const [bill] = await billsOf(edgehelm, 11n);
    await charge(edgehelm, 11n, 9.99);
    await expect(edgehelm.call(as.user(11n), payUserBill, { userBillId: bill!.id })).rejects.toMatchObject({
      code: 409,
      reason: "user_account.insufficient",
      message: "the account of user 11 has a balance of 9.99, which is less than 10.00",
    });
    expect((await billsOf(edgehelm, 11n))[0]).toMatchObject({ isPaid: false, paidAt: 0n });
  });

  test("refuses bills that do not exist or belong to another user", async () => {
    const [bill] = await billsOf(edgehelm, 12n);
    const missing = { code: 404, reason: "user_bill.not_found" };
    await expect(edgehelm.call(admin, payUserBill, { userBillId: 9999n })).rejects.toMatchObject(missing);
    await expect(edgehelm.call(as.user(7n), payUserBill, { userBillId: bill!.id })).rejects.toMatchObject(missing);
    expect(await edgehelm.call(as.user(7n), findUserBill, { userBillId: bill!.id })).not.toHaveProperty("userBill");
    expect(await edgehelm.call(as.user(7n), findUserBill, { code: bill!.code })).not.toHaveProperty("userBill");
    expect((await edgehelm.call(as.user(12n), findUserBill, { userBillId: bill!.id })).userBill?.id).toBe(bill!.id);
  });
});

describe("lists and counts", () => {
  test("filter by month, payment and user, are sorted newest first, and agree", async () => {
    const all = (await edgehelm.call(admin, listUserBills, { paidFlag: -1, size: 1000n })).userBills;
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted((a, b) => Number(b - a)));
    for (const userId of [0n, 7n, 50n, 999n]) {
      for (const month of ["", "202604", "202605", "202606", "202612"]) {
        for (const paidFlag of [-1, 0, 1]) {
          const expected = all.filter((bill) =>
            (userId === 0n || bill.user?.id === userId) && (month === "" || bill.month === month) &&
            (paidFlag === -1 || bill.isPaid === (paidFlag === 1))
          );
          const filter = { userId, month, paidFlag };
          const { userBills } = await edgehelm.call(admin, listUserBills, { ...filter, size: 1000n });
          expect(userBills, JSON.stringify([month, paidFlag, `${userId}`])).toEqual(expected);
          expect((await edgehelm.call(admin, countAllUserBills, filter)).count).toBe(BigInt(expected.length));
          const page = await edgehelm.call(admin, listUserBills, { ...filter, offset: 1n, size: 2n });
          expect(page.userBills).toEqual(expected.slice(1, 3));
        }
      }
    }
  });

  test("contain only a user's own bills for a user", async () => {
    const { userBills } = await edgehelm.call(as.user(12n), listUserBills, { userId: 7n });
    expect(userBills.map(({ user, month }) => [user?.id, month])).toEqual([[12n, "202605"], [12n, "202604"]]);
    expect((await edgehelm.call(as.user(12n), countAllUserBills, { userId: 7n })).count).toBe(2n);
  });

  test("filter by age", async () => {
    const count = async (ages: object) =>
      (await edgehelm.call(admin, countAllUserBills, { paidFlag: -1, ...ages })).count;
    // on 15 June: two users with bills of days 14 and 3 days ago; six with months that ended 46 and 15 days ago
    expect(await count({ minDailyBillDays: 14, minMonthlyBillDays: 9999 })).toBe(2n);
    expect(await count({ minDailyBillDays: 15, minMonthlyBillDays: 46 })).toBe(6n);
    expect(await count({ minMonthlyBillDays: 15 })).toBe(12n + 4n);
    expect(await count({ minMonthlyBillDays: 16, minDailyBillDays: 3, userId: 7n })).toBe(1n);
  });

  test.each([
    [{ paidFlag: 2 }, "paidFlag: must be 0 (unpaid), 1 (paid) or -1 (all), got 2"],
    [{ month: "May" }, 'month: must be a month such as 202601, got "May"'],
    [{ minDailyBillDays: -1 }, "minDailyBillDays: must be 0 to 36500, got -1"],
  ])("refuse %o", async (request, message) => {
    await expect(edgehelm.call(admin, countAllUserBills, request)).rejects.toMatchObject({ code: 400, message });
  });
});

test("an overdue bill blocks the sites of its user", async () => {
  const overdue = new Network();
  const time = june15();
  overdue.send(5n, "20260510", GB);
  await using own = await testKernel({
    plugins: [plugin, accounts, consumer],
    stubs: overdue.stubs,
    config: { user_bill: { trafficPricePerGB: 1, overdueDays: 10 } },
    clock: time,
  });
  const [check] = checks;
  const isBlocked = () => check!.isBlocked(own.kernel.systemCall("test"), 5n);
  await generate(own, { month: "202605" });
  time.advance(10 * 86_400);
  expect([await isBlocked(), (await billsOf(own, 5n))[0]!.isOverdue]).toEqual([false, false]);
  time.advance(1);
  expect([await isBlocked(), (await billsOf(own, 5n))[0]!.isOverdue]).toEqual([true, true]);
  await charge(own, 5n, 1);
  await own.call(admin, payUserBill, { userBillId: (await billsOf(own, 5n))[0]!.id });
  expect([await isBlocked(), (await billsOf(own, 5n))[0]!.isOverdue]).toEqual([false, false]);
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
