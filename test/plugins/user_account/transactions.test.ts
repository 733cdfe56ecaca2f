import { describe, expect, test } from "vitest";
import { UserAccountLogService } from "../../../plugins/user_account/proto/service_user_account_log_pb.ts";
import { UserAccountService } from "../../../plugins/user_account/proto/service_user_account_pb.ts";
import { accounts, admin, book, call, createTestUser, edgehelm, total, useKernel } from "./rig.ts";

const { updateUserAccount } = UserAccountService.method;
const { countUserAccountLogs } = UserAccountLogService.method;

useKernel();

describe("updateUserAccount refuses", () => {
  test.each([
    [{ delta: -1.01, eventType: "withdraw" }, 409, "balance of 1.00, which is less than 1.01"],
    [{ delta: 9_999_999_999_999 }, 409, "would exceed the maximum"],
    [{ delta: 0.001 }, 400, "delta: must have at most 2 decimals, got 0.001"],
    [{ delta: 0 }, 400, "delta: must be positive for charge, got 0"],
    [{ delta: -1 }, 400, "delta: must be positive for charge, got -1"],
    [{ delta: 1, eventType: "buyPlan" }, 400, "delta: must be negative for buyPlan, got 1"],
    [{ eventType: "steal" }, 400, "eventType: must be one of charge, award"],
    [{ paramsJSON: new TextEncoder().encode("[]") }, 400, "paramsJSON: must be a JSON object"],
    [{ paramsJSON: new TextEncoder().encode("{") }, 400, "paramsJSON: must be JSON"],
    [{ userAccountId: 9999n }, 404, "account 9999 does not exist"],
  ])("%o", async (wrong, code, message) => {
    const userAccountId = await createTestUser(`user${Math.random().toString().slice(2)}`);
    await book(userAccountId, 1);
    const request = { userAccountId, delta: 1, eventType: "charge", ...wrong };
    await expect(edgehelm.call(admin, updateUserAccount, request))
      .rejects.toMatchObject({ code, message: expect.stringContaining(message) });
    expect(await total(userAccountId)).toBe(1);
  });
});

test("concurrent expenses succeed only while the balance suffices", async () => {
  const userId = await createTestUser("spender");
  await book(userId, 10);
  const spend = () =>
    call().transact((inner) =>
      accounts.book(inner, { userId, delta: -300n, eventType: "buyPlan", description: "a plan" })
    );
  const results = await Promise.allSettled(Array.from({ length: 20 }, spend));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  expect(await total(userId)).toBe(1);
  expect((await edgehelm.call(admin, countUserAccountLogs, { userAccountId: userId })).count).toBe(4n);
});

test("a failed database transaction rolls back its bookings", async () => {
  const userId = await createTestUser("undone");
  const entry = { userId, delta: 500n, eventType: "award", description: "" } as const;
  await expect(
    call().transact(async (inner) => {
      await accounts.book(inner, entry);
      throw new Error("rolled back");
    }),
  ).rejects.toThrow("rolled back");
  expect(await accounts.balance(call(), userId)).toBe(0n);
});
