import { as } from "edgehelm/testing";
import { beforeEach, expect, test } from "vitest";
import { UserTrafficPackageService } from "../../../plugins/user_traffic_package/proto/service_user_traffic_package_pb.ts";
import {
  admin,
  billed,
  buy,
  clock,
  edgehelm,
  GB,
  inAsia,
  network,
  packagesOf,
  parts,
  usedBy,
  useKernel,
  userWith,
} from "./rig.ts";

const { createUserTrafficPackage, deleteUserTrafficPackage } = UserTrafficPackageService.method;

useKernel();
const DAY = 86_400;
const FEBRUARY_5 = Date.UTC(2026, 1, 5, 12);
const at = (milliseconds: number) => clock.advance((milliseconds - clock.now()) / 1000);
beforeEach(() => at(Date.UTC(2026, 0, 10, 12)));

test("packages are used before money, once for each period, however often it is billed", async () => {
  const userId = await userWith(10);
  await buy(userId, { count: 2 });
  network.send(userId, "20260112", 13n * GB, parts.nodeRegionId);
  at(FEBRUARY_5);
  for (let times = 0; times < 3; times++) expect(await billed(userId, "202601")).toBe(0);
  expect(await usedBy(userId)).toEqual([10, 3]);
  network.send(userId, "20260113", 10n * GB, parts.nodeRegionId);
  for (let times = 0; times < 2; times++) expect(await billed(userId, "202601")).toBe(3);
  expect(await usedBy(userId)).toEqual([10, 10]);
});

test("a byte of a package is used once, whatever month is billed", async () => {
  const userId = await userWith(5);
  await buy(userId);
  network.send(userId, "20260115", 6n * GB, parts.nodeRegionId);
  network.send(userId, "20260205", 6n * GB, parts.nodeRegionId);
  at(Date.UTC(2026, 2, 3, 12));
  expect([await billed(userId, "202601"), await billed(userId, "202602")]).toEqual([0, 2]);
  expect([await billed(userId, "202601"), await billed(userId, "202602")]).toEqual([0, 2]);
  expect(await usedBy(userId)).toEqual([10]);
});

test("a package covers traffic of its region only", async () => {
  const userId = await userWith(7);
  await buy(userId, inAsia);
  network.send(userId, "20260112", 2n * GB, parts.nodeRegionId);
  network.send(userId, "20260112", 3n * GB, inAsia.nodeRegionId);
  network.send(userId, "20260112", 4n * GB, 0n);
  at(FEBRUARY_5);
  expect([await billed(userId, "202601"), await usedBy(userId)]).toEqual([6, [3]]);
});

test("a package covers traffic of the days on which it is valid only, the last one included", async () => {
  const userId = await userWith(5);
  await buy(userId);
  network.send(userId, "20260109", 1n * GB, parts.nodeRegionId);
  network.send(userId, "20260110", 2n * GB, parts.nodeRegionId);
  network.send(userId, "20260210", 3n * GB, parts.nodeRegionId);
  network.send(userId, "20260211", 4n * GB, parts.nodeRegionId);
  at(Date.UTC(2026, 2, 3, 12));
  expect([await billed(userId, "202601"), await billed(userId, "202602")]).toEqual([1, 4]);
  expect(await usedBy(userId)).toEqual([5]);
});

test("the package that expires first is used first, also if it was bought last", async () => {
  const userId = await userWith(5);
  clock.advance(5 * DAY);
  await buy(userId);
  clock.advance(-4 * DAY);
  await edgehelm.call(admin, createUserTrafficPackage, { userId, ...parts });
  network.send(userId, "20260120", 4n * GB, parts.nodeRegionId);
  at(FEBRUARY_5);
  expect([await billed(userId, "202601"), await usedBy(userId)]).toEqual([0, [0, 4]]);
});

test("several servers share packages, and users do not", async () => {
  const [ada, bob] = [await userWith(5), await userWith(0)];
  await buy(ada);
  network.send(ada, "20260120", 8n * GB, parts.nodeRegionId, ada * 10n);
  network.send(ada, "20260120", 8n * GB, parts.nodeRegionId, ada * 10n + 1n);
  network.send(bob, "20260120", 8n * GB, parts.nodeRegionId);
  at(FEBRUARY_5);
  expect([await billed(ada, "202601"), await billed(bob, "202601")]).toEqual([6, 8]);
});

test("what was used is covered after the package was deleted, and nothing else", async () => {
  const userId = await userWith(5);
  const [userTrafficPackageId] = await buy(userId);
  network.send(userId, "20260120", 4n * GB, parts.nodeRegionId);
  at(FEBRUARY_5);
  expect(await billed(userId, "202601")).toBe(0);
  await edgehelm.call(admin, deleteUserTrafficPackage, { userTrafficPackageId: userTrafficPackageId! });
  network.send(userId, "20260121", 4n * GB, parts.nodeRegionId);
  expect(await billed(userId, "202601")).toBe(4);
  expect(await packagesOf(userId)).toEqual([]);
});

test("a package that is used up is no longer available, and its owner may delete it", async () => {
  const userId = await userWith(5);
  const [userTrafficPackageId] = await buy(userId);
  network.send(userId, "20260112", 10n * GB, parts.nodeRegionId);
  at(FEBRUARY_5);
  await billed(userId, "202601");
  expect(await packagesOf(userId, { availableOnly: true })).toEqual([]);
  await edgehelm.call(as.user(userId), deleteUserTrafficPackage, { userTrafficPackageId: userTrafficPackageId! });
});
