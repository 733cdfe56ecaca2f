import { as } from "edgehelm/testing";
import { expect, test } from "vitest";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { UserAccountLogService } from "../../../plugins/user_account/proto/service_user_account_log_pb.ts";
import { UserAccountService } from "../../../plugins/user_account/proto/service_user_account_pb.ts";
import { admin, book, call, clock, createTestUser, edgehelm, removals, total, useKernel } from "./rig.ts";

const { findEnabledUserAccount, findEnabledUserAccountWithUserId, listUserAccounts, updateUserAccount } =
  UserAccountService.method;
const { countUserAccountLogs, listUserAccountLogs } = UserAccountLogService.method;

useKernel();

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
