import { definePlugin } from "edgehelm";
import { as, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll } from "vitest";
import { type UserRemoval, UserRemovals } from "../../../plugins/user/contract.ts";
import users from "../../../plugins/user/plugin.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { UserAccounts } from "../../../plugins/user_account/contract.ts";
import plugin from "../../../plugins/user_account/plugin.ts";
import { UserAccountService } from "../../../plugins/user_account/proto/service_user_account_pb.ts";

const { findEnabledUserAccountWithUserId, updateUserAccount } = UserAccountService.method;

export const admin = as.admin();

export let accounts: UserAccounts;
export let removals: readonly UserRemoval[];
const shop = definePlugin({
  manifest: { name: "shop", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  requires: { accounts: UserAccounts },
  setup({ deps, contributions }) {
    accounts = deps.accounts;
    removals = contributions(UserRemovals);
  },
});

export const clock = new TestClock(Date.UTC(2026, 0, 31, 12));
export let edgehelm: TestKernel;

/** Opens the kernel before the tests of a file, and closes it after them. */
export function useKernel(): void {
  beforeAll(async () => {
    edgehelm = await testKernel({ plugins: [plugin, users, shop], clock });
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());
}

export const call = () => edgehelm.kernel.systemCall("test");

export async function createTestUser(username: string): Promise<bigint> {
  const request = { username, password: "walks in the rain", fullname: username };
  return (await edgehelm.call(admin, UserService.method.createUser, request)).userId;
}

export async function total(userId: bigint): Promise<number | undefined> {
  return (await edgehelm.call(admin, findEnabledUserAccountWithUserId, { userId })).userAccount?.total;
}

export function book(userAccountId: bigint, delta: number, eventType = "charge", description = "") {
  return edgehelm.call(admin, updateUserAccount, { userAccountId, delta, eventType, description });
}
