import { as } from "edgehelm/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { TrafficPackageService } from "../../../plugins/traffic_package/proto/service_traffic_package_pb.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { UserAccountLogService } from "../../../plugins/user_account/proto/service_user_account_log_pb.ts";
import { UserTrafficPackageService } from "../../../plugins/user_traffic_package/proto/service_user_traffic_package_pb.ts";
import { admin, balanceOf, buy, clock, edgehelm, GB, inAsia, packagesOf, parts, useKernel, userWith } from "./rig.ts";

const { buyUserTrafficPackage, countUserTrafficPackages, createUserTrafficPackage, deleteUserTrafficPackage } =
  UserTrafficPackageService.method;

useKernel();
const JANUARY_10 = Date.UTC(2026, 0, 10, 12);
beforeEach(() => clock.advance((JANUARY_10 - clock.now()) / 1000));

test.each(["http", "connect", "grpcweb"] as const)("a user buys packages over %s", async (wire) => {
  const userId = await userWith(12);
  const bought = await edgehelm.call(as.user(userId), buyUserTrafficPackage, { ...parts, count: 2 }, wire);
  expect([bought.userTrafficPackageIds.length, await balanceOf(userId)]).toEqual([2, 2]);
  const [newest] = await packagesOf(userId);
  expect(newest).toMatchObject({
    ...{ id: bought.userTrafficPackageIds[1], userId, ...parts, totalBytes: 10n * GB, usedBytes: 0n },
    ...{ trafficPackagePeriodCount: 1, trafficPackagePeriodUnit: "month", dayFrom: "2026-01-10", dayTo: "2026-02-10" },
    trafficPackage: { size: 10, unit: "gb", isOn: true },
    nodeRegion: { name: "Europe", isOn: true },
    canDelete: true,
  });
  const { userAccountLogs } = await edgehelm.call(admin, UserAccountLogService.method.listUserAccountLogs, {
    userAccountId: userId,
  });
  expect(userAccountLogs[0]).toMatchObject({
    ...{ eventType: "buyTrafficPackage", delta: -10 },
    description: '2 packages of 10 gb for 1 month in "Europe"',
  });
});

describe("buyUserTrafficPackage", () => {
  test("gives nothing if the balance is insufficient", async () => {
    const userId = await userWith(9.99);
    await expect(buy(userId, { count: 2 })).rejects.toMatchObject({ code: 409, reason: "user_account.insufficient" });
    expect([(await packagesOf(userId)).length, await balanceOf(userId)]).toEqual([0, 9.99]);
  });

  test("is for the caller, not for the user in the request", async () => {
    const [rich, poor] = [await userWith(10), await userWith(0)];
    await expect(buy(poor, { userId: rich })).rejects.toMatchObject({ reason: "user_account.insufficient" });
    expect(await balanceOf(rich)).toBe(10);
  });

  test.each([
    [{ count: 101 }, "count: must be 0 to 100, got 101"],
    [{ count: -1 }, "count: must be 0 to 100, got -1"],
    [{ trafficPackageId: 99n }, "trafficPackageId: traffic package 99 does not exist"],
    [{ nodeRegionId: 99n }, expect.stringMatching(/^nodeRegionId: .*99 does not exist/)],
    [{ trafficPackagePeriodId: 99n }, expect.stringMatching(/^trafficPackagePeriodId: .*99 does not exist/)],
  ])("refuses %o", async (request, message) => {
    await expect(buy(await userWith(10), request)).rejects.toMatchObject({ code: 400, message });
  });

  test("refuses packages without a price and packages that are turned off", async () => {
    const { createTrafficPackage, updateTrafficPackage } = TrafficPackageService.method;
    const { trafficPackageId } = await edgehelm.call(admin, createTrafficPackage, { size: 20, unit: "gb" });
    const userId = await userWith(100);
    await expect(buy(userId, { trafficPackageId })).rejects.toMatchObject({
      code: 409,
      reason: "user_traffic_package.not_sold",
      message: 'the package of 20 gb for 1 month is not sold in "Europe": it has no price there',
    });
    await edgehelm.call(admin, updateTrafficPackage, { trafficPackageId, isOn: false });
    await expect(buy(userId, { trafficPackageId })).rejects.toMatchObject({ reason: "user_traffic_package.off" });
    expect(await balanceOf(userId)).toBe(100);
  });
});

test("createUserTrafficPackage charges nothing", async () => {
  const userId = await userWith(0);
  await edgehelm.call(admin, createUserTrafficPackage, { userId, ...parts });
  expect([(await packagesOf(userId)).length, await balanceOf(userId)]).toEqual([1, 0]);
  await expect(edgehelm.call(admin, createUserTrafficPackage, { userId: 999n, ...parts }))
    .rejects.toMatchObject({ code: 400, message: expect.stringContaining("userId") });
});

test("lists and counts select by every filter, and a user's only their own", async () => {
  const [ada, bob] = [await userWith(100), await userWith(100)];
  await buy(ada);
  await buy(ada, inAsia);
  await buy(bob);
  clock.advance(20 * 86_400);
  await buy(ada);
  const count = async (filter: object, caller = admin) =>
    Number((await edgehelm.call(caller, countUserTrafficPackages, filter)).count);
  expect(await count({ userId: ada })).toBe(3);
  expect(await count({ userId: ada, nodeRegionId: inAsia.nodeRegionId })).toBe(1);
  expect(await count({ userId: ada, trafficPackageId: 99n })).toBe(0);
  expect(await count({ userId: ada, trafficPackagePeriodId: parts.trafficPackagePeriodId })).toBe(3);
  expect(await count({ userId: ada, expiresDay: "20260210" })).toBe(2);
  clock.advance(12 * 86_400);
  expect(await count({ userId: ada, availableOnly: true })).toBe(1);
  expect([await count({}, as.user(bob)), await count({ userId: ada }, as.user(bob))]).toEqual([1, 1]);
  expect(await count({ nodeRegionId: inAsia.nodeRegionId })).toBe(1);
  expect((await packagesOf(0n, { nodeRegionId: inAsia.nodeRegionId })).map(({ userId }) => userId)).toEqual([ada]);
});

test("users delete only what they can no longer use; admins delete any", async () => {
  const userId = await userWith(20);
  const [first] = await buy(userId);
  const [second] = await buy(userId);
  const remove = (caller: typeof admin, userTrafficPackageId: bigint) =>
    edgehelm.call(caller, deleteUserTrafficPackage, { userTrafficPackageId });
  await expect(remove(as.user(userId), first!)).rejects.toMatchObject({
    reason: "user_traffic_package.usable",
    message: `package ${first} can be used until 2026-02-10; users may delete it afterwards`,
  });
  await expect(remove(as.user(await userWith(0)), first!)).rejects.toMatchObject({ code: 404 });
  await remove(admin, first!);
  clock.advance(32 * 86_400);
  await remove(as.user(userId), second!);
  expect(await packagesOf(userId)).toEqual([]);
});

test("what packages of users are made of cannot be deleted, and packages are deleted with their user", async () => {
  const userId = await userWith(5);
  await buy(userId);
  const { deleteTrafficPackage } = TrafficPackageService.method;
  await expect(edgehelm.call(admin, deleteTrafficPackage, { trafficPackageId: parts.trafficPackageId }))
    .rejects.toMatchObject({ code: 409, message: expect.stringContaining("is used by") });
  await edgehelm.call(admin, UserService.method.deleteUser, { userId });
  await edgehelm.kernel.runJob("user.remove_deleted");
  expect(await packagesOf(userId)).toEqual([]);
});
