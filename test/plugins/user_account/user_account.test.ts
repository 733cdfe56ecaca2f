import { invalid } from "edgehelm";
import { as, stub, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { definePlugin } from "edgehelm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type UserRemoval, UserRemovals, Users } from "../../../plugins/user/contract.ts";
import users from "../../../plugins/user/plugin.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { UserAccounts } from "../../../plugins/user_account/contract.ts";
import plugin from "../../../plugins/user_account/plugin.ts";
import { UserAccountLogService } from "../../../plugins/user_account/proto/service_user_account_log_pb.ts";
import { UserAccountService } from "../../../plugins/user_account/proto/service_user_account_pb.ts";

const {
  countUserAccounts,
  findEnabledUserAccount,
  findEnabledUserAccountWithUserId,
  listUserAccounts,
  updateUserAccount,
} = UserAccountService.method;
const { countUserAccountLogs, listUserAccountLogs } = UserAccountLogService.method;
const admin = as.admin();

let accounts: UserAccounts;
let removals: readonly UserRemoval[];
const shop = definePlugin({
  manifest: { name: "shop", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  requires: { accounts: UserAccounts },
  setup({ deps, contributions }) {
    accounts = deps.accounts;
    removals = contributions(UserRemovals);
  },
});

const clock = new TestClock(Date.UTC(2026, 0, 31, 12));
let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin, users, shop], clock });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

const call = () => edgehelm.kernel.systemCall("test");

async function createTestUser(username: string): Promise<bigint> {
  const request = { username, password: "walks in the rain", fullname: username };
  return (await edgehelm.call(admin, UserService.method.createUser, request)).userId;
}

async function total(userId: bigint): Promise<number | undefined> {
  return (await edgehelm.call(admin, findEnabledUserAccountWithUserId, { userId })).userAccount?.total;
}

function book(userAccountId: bigint, delta: number, eventType = "charge", description = "") {
  return edgehelm.call(admin, updateUserAccount, { userAccountId, delta, eventType, description });
}

test.each(["http", "connect", "grpcweb"] as const)("an admin books transactions over %s", async (wire) => {
  const id = await createTestUser(`ada_${wire}`);
  const ada = as.user(id);
  const { userAccount } = await edgehelm.call(ada, findEnabledUserAccountWithUserId, {}, wire);
  expect(userAccount, "before the first transaction").toMatchObject({ id, userId: id, total: 0 });

  const charge = { userAccountId: id, delta: 0.1, eventType: "charge", description: "cash" };
  const paramsJSON = new TextEncoder().encode('{"receipt": 4711}');
  for (let times = 0; times < 3; times++) {
    await edgehelm.call(admin, updateUserAccount, { ...charge, paramsJSON }, wire);
  }
  await edgehelm.call(admin, updateUserAccount, { ...charge, delta: -0.25, eventType: "withdraw" }, wire);
  expect((await edgehelm.call(ada, findEnabledUserAccount, { userAccountId: id }, wire)).userAccount)
    .toMatchObject({ total: 0.05, user: { id, username: `ada_${wire}` } });

  const { userAccountLogs } = await edgehelm.call(ada, listUserAccountLogs, { size: 2n }, wire);
  const createdAt = BigInt(clock.now() / 1000);
  expect(userAccountLogs).toMatchObject([
    { userId: id, delta: -0.25, total: 0.05, eventType: "withdraw", createdAt, userAccount: { total: 0.05 } },
    { userAccountId: id, delta: 0.1, total: 0.3, eventType: "charge", description: "cash", user: { id } },
  ]);
  expect(new TextDecoder().decode(userAccountLogs[1]!.paramsJSON)).toBe('{"receipt":4711}');
  expect((await edgehelm.call(ada, countUserAccountLogs, {}, wire)).count).toBe(4n);
  expect((await edgehelm.call(admin, countUserAccountLogs, { eventType: "withdraw", userAccountId: id }, wire)).count)
    .toBe(1n);
});

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

test("accounts are searched by user name, logs by description", async () => {
  const [first, second] = [await createTestUser("searched_one"), await createTestUser("searched_two")];
  await book(first!, 5, "charge", "wire 100%");
  await book(second!, 7, "award", "wire 1000");
  const { userAccounts } = await edgehelm.call(admin, listUserAccounts, { keyword: "SEARCHED_" });
  expect(userAccounts).toMatchObject([{ id: second, total: 7, user: { username: "searched_two" } }, { id: first }]);
  expect((await edgehelm.call(admin, countUserAccounts, { keyword: "searched_" })).count).toBe(2n);
  expect((await edgehelm.call(admin, countUserAccounts, {})).count).toBeGreaterThan(2n);
  expect((await edgehelm.call(admin, listUserAccounts, { size: 1n, offset: 1n })).userAccounts).toMatchObject([{
    id: first,
  }]);

  const found = await edgehelm.call(admin, listUserAccountLogs, { keyword: "100%" });
  expect(found.userAccountLogs).toMatchObject([{ userAccountId: first }]);
  expect((await edgehelm.call(admin, countUserAccountLogs, { keyword: "wire", eventType: "award" })).count).toBe(1n);
});

test("a user can read only their own account and log", async () => {
  const [ada, eve] = [await createTestUser("owner"), await createTestUser("eve")];
  await book(ada!, 5, "charge", "hers");
  const asEve = as.user(eve!);
  expect(await edgehelm.call(asEve, findEnabledUserAccount, { userAccountId: ada! })).not.toHaveProperty("userAccount");
  const { userAccount } = await edgehelm.call(asEve, findEnabledUserAccountWithUserId, { userId: ada! });
  expect(userAccount).toMatchObject({ id: eve });
  expect((await edgehelm.call(asEve, listUserAccountLogs, { userAccountId: ada! })).userAccountLogs).toEqual([]);
});

test("the account and its log are deleted with their user, in batches", async () => {
  const userId = await createTestUser("deleted_user");
  for (let times = 0; times < 5; times++) await book(userId, 1);
  await edgehelm.call(admin, UserService.method.deleteUser, { userId });
  expect(await total(userId)).toBeUndefined();
  const remove = () => call().transact((inner) => removals[0]!.removeSome(inner, userId, 3));
  expect([await remove(), await remove(), await remove()]).toEqual([3n, 2n, 0n]);
  expect((await edgehelm.call(admin, countUserAccountLogs, { userAccountId: userId })).count).toBe(0n);
  const { userAccounts } = await edgehelm.call(admin, listUserAccounts, { size: 1000n });
  expect(userAccounts.map(({ id }) => id)).not.toContain(userId);
});

test("too many matching users are refused", async () => {
  const manyUsers: Partial<Users> = {
    idsMatching: async (_call, _keyword, limit) => Array.from({ length: limit }, (_, index) => BigInt(index + 1)),
    requireUser: async (_call, field) => {
      throw invalid(field, "does not exist");
    },
  };
  await using kernel = await testKernel({ plugins: [plugin], stubs: [stub(Users, manyUsers)] });
  await expect(kernel.call(admin, listUserAccounts, { keyword: "a" }))
    .rejects.toMatchObject({ code: 400, message: "keyword: more than 1000 users match; use a longer keyword" });
});
