import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { UserAccountLogService } from "../../../plugins/user_account/proto/service_user_account_log_pb.ts";
import { UserBillService } from "../../../plugins/user_bill/proto/service_user_bill_pb.ts";
import { clock, edgehelm, useKernel } from "./bills_rig.ts";
import { admin, balanceOf, billsOf, charge } from "./rig.ts";

const { findUserBill, payUserBill, sumUserUnpaidBills } = UserBillService.method;

useKernel();

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
