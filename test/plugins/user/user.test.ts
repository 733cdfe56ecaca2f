import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import admin from "../../../plugins/admin/plugin.ts";
import { AdminService } from "../../../plugins/admin/proto/service_admin_pb.ts";
import group from "../../../plugins/ns_domain_group/plugin.ts";
import { NSDomainGroupService } from "../../../plugins/ns_domain_group/proto/service_ns_domain_group_pb.ts";
import plugin from "../../../plugins/user/plugin.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { REMOVAL_BATCH_SIZE, removeDeletedUsers } from "../../../plugins/user/removal.ts";
import type { UserChanges } from "../../../plugins/user/store_changes.ts";

const { createUser, deleteUser, findEnabledUser, listEnabledUsers, countAllEnabledUsers, loginUser, registerUser } =
  UserService.method;
const { updateUser, updateUserInfo, updateUserLogin, verifyUser, checkUserUsername, checkUserEmail } =
  UserService.method;
const { checkUserMobile, findUserFeatures, updateUserFeatures, updateAllUsersFeatures } = UserService.method;
const root = as.admin();
const PASSWORD = "correct horse battery";

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin, group] });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

let userCount = 0;
async function newUser(fields: Record<string, string> = {}): Promise<{ userId: bigint; username: string }> {
  const username = fields["username"] ?? `user${++userCount}`;
  const request = { username, password: PASSWORD, fullname: "A User", email: `${username}@example.com`, ...fields };
  const { userId } = await edgehelm.call(root, createUser, request);
  return { userId, username };
}

describe("createUser", () => {
  test("creates a user who is turned on and verified", async () => {
    const { userId, username } = await newUser({ remark: "pays late" });
    const { user } = await edgehelm.call(root, findEnabledUser, { userId });
    expect(user).toMatchObject({ id: userId, username, isOn: true, isVerified: true, remark: "pays late" });
  });

  test("refuses a username that is taken, case-insensitively", async () => {
    const { username } = await newUser();
    await expect(newUser({ username: username.toUpperCase() })).rejects.toMatchObject({
      reason: "user.username_taken",
    });
  });

  test.each([
    ["a username with a space", { username: "a b" }, "username:"],
    ["a short password", { username: "shorty", password: "short" }, "password:"],
  ])("refuses %s", async (_case, fields, message) => {
    await expect(newUser(fields)).rejects.toMatchObject({ code: 400, message: expect.stringContaining(message) });
  });
});

test("a user can read and change only themselves, without the remark", async () => {
  const { userId } = await newUser({ remark: "pays late" });
  const { userId: other } = await newUser();
  const self = as.user(userId);
  const { user } = await edgehelm.call(self, findEnabledUser, { userId: other });
  expect(user).toMatchObject({ id: userId, remark: "" });
  await edgehelm.call(self, updateUserInfo, { userId: other, fullname: "Mine Only", email: "me@example.com" });
  expect((await edgehelm.call(root, findEnabledUser, { userId: other })).user?.fullname).toBe("A User");
  expect((await edgehelm.call(root, findEnabledUser, { userId })).user?.fullname).toBe("Mine Only");
  await edgehelm.call(self, updateUserLogin, { userId: other, username: "renamed.me", password: "a new password" });
  const login = { username: "renamed.me", password: "a new password" };
  expect(await edgehelm.call(root, loginUser, login)).toMatchObject({ userId, isOk: true });
});

describe("registration and login", () => {
  test("a registered user awaits verification", async () => {
    const request = {
      username: "newcomer",
      password: PASSWORD,
      email: "new@example.com",
      mobile: "123",
      ip: "192.0.2.1",
    };
    const { userId } = await edgehelm.call(root, registerUser, request);
    expect((await edgehelm.call(root, countAllEnabledUsers, { isVerifying: true })).count).toBe(1n);
    const { users } = await edgehelm.call(root, listEnabledUsers, { isVerifying: true });
    expect(users).toMatchObject([{ id: userId, registeredIP: "192.0.2.1", isVerified: false }]);
    await edgehelm.call(root, verifyUser, { userId, isRejected: true, rejectReason: "unknown person" });
    expect((await edgehelm.call(root, loginUser, { username: "newcomer", password: PASSWORD })).isOk).toBe(false);
    await edgehelm.call(root, verifyUser, { userId });
    expect((await edgehelm.call(root, loginUser, { username: "newcomer", password: PASSWORD })).isOk).toBe(true);
  });

  test("a failed login does not reveal its cause", async () => {
    const { userId, username } = await newUser();
    const wrong = await edgehelm.call(root, loginUser, { username, password: "something else" });
    const unknown = await edgehelm.call(root, loginUser, { username: "unknown.user", password: PASSWORD });
    await edgehelm.call(root, updateUser, { userId, username, isOn: false });
    const off = await edgehelm.call(root, loginUser, { username, password: PASSWORD });
    expect(wrong.isOk).toBe(false);
    expect([unknown, off]).toEqual([wrong, wrong]);
  });

  test("the check operations find existing usernames, email addresses and mobile numbers", async () => {
    const { userId, username } = await newUser({ mobile: "555-1" });
    expect((await edgehelm.call(root, checkUserUsername, { username })).exists).toBe(true);
    expect((await edgehelm.call(root, checkUserUsername, { username, userId })).exists).toBe(false);
    expect((await edgehelm.call(root, checkUserEmail, { email: `${username}@EXAMPLE.com` })).exists).toBe(true);
    expect((await edgehelm.call(root, checkUserMobile, { mobile: "555-1" })).exists).toBe(true);
    expect((await edgehelm.call(root, checkUserMobile, { mobile: "" })).exists).toBe(false);
  });
});

test("lists find a keyword in any field, escape wildcards, and return the newest first", async () => {
  const { userId: first } = await newUser({ fullname: "50% off" });
  const { userId: second } = await newUser({ remark: "also 50% off" });
  const { users } = await edgehelm.call(root, listEnabledUsers, { keyword: "0% O" });
  expect(users.map(({ id }) => id)).toEqual([second, first]);
  expect((await edgehelm.call(root, countAllEnabledUsers, { keyword: "0% o" })).count).toBe(2n);
  expect((await edgehelm.call(root, listEnabledUsers, { keyword: "5_%" })).users).toEqual([]);
  const { users: secondPage } = await edgehelm.call(root, listEnabledUsers, { size: 1n, offset: 1n });
  expect(secondPage.map(({ id }) => id)).toEqual([first]);
});

test("features are set for one user or for all, and unknown ones are refused", async () => {
  const { userId } = await newUser();
  await edgehelm.call(root, updateUserFeatures, { userId, featureCodes: ["ns"] });
  await edgehelm.call(root, updateAllUsersFeatures, { featureCodes: ["finance"] });
  const codes = async () =>
    (await edgehelm.call(as.user(userId), findUserFeatures, {})).features.map(({ code }) => code).sort();
  expect(await codes()).toEqual(["finance", "ns"]);
  await edgehelm.call(root, updateAllUsersFeatures, { featureCodes: ["plan"], overwrite: true });
  expect(await codes()).toEqual(["plan"]);
  await expect(edgehelm.call(root, updateUserFeatures, { userId, featureCodes: ["magic"] }))
    .rejects.toMatchObject({ code: 400, reason: "user.feature_unknown" });
});

describe("prices, servers and figures", () => {
  const { findUserPriceInfo, updateUserPriceType, updateUserPricePeriod, findUserNodeClusterId } = UserService.method;
  const { checkUserServersState, renewUserServersState, composeUserDashboard, composeUserGlobalBoard } =
    UserService.method;
  const { findAllUserFeatureDefinitions, checkUserOTPWithUsername, findUserVerifiedEmailWithUsername } =
    UserService.method;

  test("are stored and returned", async () => {
    const { userId, username } = await newUser();
    const self = as.user(userId);
    await edgehelm.call(root, updateUserPriceType, { userId, priceType: "traffic" });
    await edgehelm.call(root, updateUserPricePeriod, { userId, pricePeriod: "monthly" });
    expect(await edgehelm.call(self, findUserPriceInfo, {}))
      .toMatchObject({ priceType: "traffic", pricePeriod: "monthly" });
    await expect(edgehelm.call(root, updateUserPriceType, { userId, priceType: "guess" })).rejects.toMatchObject({
      message: 'priceType: must be one of , traffic, bandwidth, got "guess"',
    });
    expect((await edgehelm.call(self, checkUserServersState, {})).isEnabled).toBe(true);
    await edgehelm.call(root, verifyUser, { userId, isRejected: true, rejectReason: "fraud" });
    expect((await edgehelm.call(self, renewUserServersState, {})).isEnabled).toBe(false);
    expect((await edgehelm.call(self, checkUserServersState, {})).isEnabled).toBe(false);
    expect((await edgehelm.call(self, findUserNodeClusterId, {})).nodeClusterId).toBe(0n);
    expect((await edgehelm.call(self, composeUserDashboard, {})).countServers).toBe(0n);
    const board = await edgehelm.call(root, composeUserGlobalBoard, {});
    expect(board.totalUsers).toBe(board.countTodayUsers);
    expect(board.dailyStats).toMatchObject([{ count: board.totalUsers }]);
    expect((await edgehelm.call(self, findAllUserFeatureDefinitions, {})).features.length).toBeGreaterThan(3);
    expect((await edgehelm.call(root, checkUserOTPWithUsername, { username })).requireOTP).toBe(false);
    expect((await edgehelm.call(root, findUserVerifiedEmailWithUsername, { username })).email).toBe("");
  });
});

test("the admin dashboard counts users", async () => {
  await using both = await testKernel({ plugins: [plugin, admin] });
  await both.call(root, createUser, { username: "only", password: PASSWORD });
  expect((await both.call(root, AdminService.method.composeAdminDashboard, {})).countUsers).toBe(1n);
});

describe("deleteUser", () => {
  const { createNSDomainGroup, findAllNSDomainGroups } = NSDomainGroupService.method;

  test("marks the user as deleted and refuses a missing user", async () => {
    const { userId } = await newUser();
    await edgehelm.call(root, deleteUser, { userId });
    expect((await edgehelm.call(root, findEnabledUser, { userId })).user).toBeUndefined();
    await expect(edgehelm.call(root, deleteUser, { userId })).rejects.toMatchObject({ reason: "user.not_found" });
  });

  test("objects of the user are deleted in the background", async () => {
    const { userId } = await newUser();
    await edgehelm.call(as.user(userId), createNSDomainGroup, { name: "shops" });
    await edgehelm.call(root, deleteUser, { userId });
    await edgehelm.kernel.runJob("user.remove_deleted");
    expect((await edgehelm.call(root, findAllNSDomainGroups, { userId })).nsDomainGroups).toEqual([]);
  });

  test("an interrupted removal resumes", async () => {
    const pending = [7n];
    const remaining = new Map([["domains", REMOVAL_BATCH_SIZE + 1], ["keys", 3]]);
    let failures = 1;
    const removals = [...remaining.keys()].map((name) => ({
      removeSome: (_call: unknown, _userId: bigint, limit: number) => {
        const removed = Math.min(limit, remaining.get(name)!);
        if (removed < limit && failures-- > 0) return Promise.reject(new Error("killed"));
        remaining.set(name, remaining.get(name)! - removed);
        return Promise.resolve(removed);
      },
    }));
    const changes = {
      nextRemoval: { first: () => Promise.resolve(pending[0] === undefined ? undefined : { userId: pending[0] }) },
      endRemoval: { run: () => Promise.resolve(void pending.shift()) },
    } as unknown as UserChanges;
    const call = edgehelm.kernel.systemCall("test");
    await expect(removeDeletedUsers(call, changes, removals)).rejects.toThrow("killed");
    expect([pending, remaining.get("domains")]).toEqual([[7n], 1]);
    await removeDeletedUsers(call, changes, removals);
    expect([pending, [...remaining.values()]]).toEqual([[], [0, 0]]);
  });
});
