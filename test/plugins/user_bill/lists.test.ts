import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { UserBillService } from "../../../plugins/user_bill/proto/service_user_bill_pb.ts";
import { edgehelm, useKernel } from "./bills_rig.ts";
import { admin } from "./rig.ts";

const { countAllUserBills, listUserBills } = UserBillService.method;

useKernel();

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
