import { as, type Stub, stub, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll } from "vitest";
import regions from "../../../plugins/node_region/plugin.ts";
import { NodeRegionService } from "../../../plugins/node_region/proto/service_node_region_pb.ts";
import { ServerDailyStats } from "../../../plugins/server_daily_stat/contract.ts";
import packages from "../../../plugins/traffic_package/plugin.ts";
import { TrafficPackageService } from "../../../plugins/traffic_package/proto/service_traffic_package_pb.ts";
import periods from "../../../plugins/traffic_package_period/plugin.ts";
import { TrafficPackagePeriodService } from "../../../plugins/traffic_package_period/proto/service_traffic_package_period_pb.ts";
import prices from "../../../plugins/traffic_package_price/plugin.ts";
import { TrafficPackagePriceService } from "../../../plugins/traffic_package_price/proto/service_traffic_package_price_pb.ts";
import users from "../../../plugins/user/plugin.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import accounts from "../../../plugins/user_account/plugin.ts";
import { UserAccountService } from "../../../plugins/user_account/proto/service_user_account_pb.ts";
import bills from "../../../plugins/user_bill/plugin.ts";
import { UserBillService } from "../../../plugins/user_bill/proto/service_user_bill_pb.ts";
import plugin from "../../../plugins/user_traffic_package/plugin.ts";
import {
  type UserTrafficPackage,
  UserTrafficPackageService,
} from "../../../plugins/user_traffic_package/proto/service_user_traffic_package_pb.ts";

const { buyUserTrafficPackage, listUserTrafficPackages } = UserTrafficPackageService.method;

export const admin = as.admin();
export const GB: bigint = 2n ** 30n;

/** The traffic of a server in a region on a day. */
interface Traffic {
  readonly userId: bigint;
  readonly serverId: bigint;
  readonly regionId: bigint;
  readonly day: string;
  readonly bytes: bigint;
}

/** The traffic that nodes have reported. */
export class Network {
  readonly #traffic: Traffic[] = [];

  send(userId: bigint, day: string, bytes: bigint, regionId: bigint, serverId: bigint = userId * 10n): void {
    this.#traffic.push({ userId, serverId, regionId, day, bytes });
  }

  get stub(): Stub {
    const within = (from: string, to: string) => this.#traffic.filter(({ day }) => day >= from && day <= to);
    return stub(ServerDailyStats, {
      usersWithTraffic: async (_call, from, to, after) =>
        [...new Set(within(from, to).map(({ userId }) => userId))].filter((id) => id > after).sort(),
      traffic: async (_call, userIds, from, to) => {
        const rows = within(from, to).filter(({ userId }) => userIds.includes(userId));
        return [...Map.groupBy(rows, ({ serverId, regionId }) => `${serverId} ${regionId}`).values()]
          .map((group) => ({ ...group[0]!, bytes: group.reduce((sum, { bytes }) => sum + bytes, 0n) }));
      },
    });
  }
}

export let edgehelm: TestKernel;
export let clock: TestClock;
export let network: Network;

/** The parts of a package. */
export interface Parts {
  readonly trafficPackageId: bigint;
  readonly nodeRegionId: bigint;
  readonly trafficPackagePeriodId: bigint;
}

/** A package of 10 GB for a month in Europe for 5.00. */
export let parts: Parts;
/** The same in Asia for 7.00. */
export let inAsia: Parts;

/** Opens a kernel before the tests of a file, and closes it after them. The date is 10 January 2026. */
export function useKernel(): void {
  beforeAll(async () => {
    clock = new TestClock(Date.UTC(2026, 0, 10, 12));
    network = new Network();
    edgehelm = await testKernel({
      plugins: [plugin, packages, periods, prices, regions, users, accounts, bills],
      stubs: [network.stub],
      config: { user_bill: { trafficPricePerGB: 1 } },
      clock,
    });
    const { trafficPackageId } = await edgehelm.call(admin, TrafficPackageService.method.createTrafficPackage, {
      ...{ size: 10, unit: "gb" },
    });
    const { createTrafficPackagePeriod } = TrafficPackagePeriodService.method;
    const period = await edgehelm.call(admin, createTrafficPackagePeriod, { count: 1, unit: "month" });
    const { trafficPackagePeriodId } = period;
    const partsIn = async (name: string, price: number): Promise<Parts> => {
      const { nodeRegionId } = await edgehelm.call(admin, NodeRegionService.method.createNodeRegion, { name });
      const made = { trafficPackageId, nodeRegionId, trafficPackagePeriodId };
      await edgehelm.call(admin, TrafficPackagePriceService.method.updateTrafficPackagePrice, { ...made, price });
      return made;
    };
    parts = await partsIn("Europe", 5);
    inAsia = await partsIn("Asia", 7);
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());
}

let userCount = 0;

/** Creates a user with a balance. */
export async function userWith(balance: number): Promise<bigint> {
  const username = `buyer${++userCount}`;
  const request = { username, password: "walks in the rain", fullname: username };
  const { userId } = await edgehelm.call(admin, UserService.method.createUser, request);
  if (balance > 0) {
    const charge = { userAccountId: userId, delta: balance, eventType: "charge", description: "" };
    await edgehelm.call(admin, UserAccountService.method.updateUserAccount, charge);
  }
  return userId;
}

export async function balanceOf(userId: bigint): Promise<number | undefined> {
  const { findEnabledUserAccountWithUserId } = UserAccountService.method;
  return (await edgehelm.call(admin, findEnabledUserAccountWithUserId, { userId })).userAccount?.total;
}

export async function buy(userId: bigint, request: object = {}): Promise<bigint[]> {
  return (await edgehelm.call(as.user(userId), buyUserTrafficPackage, { ...parts, ...request })).userTrafficPackageIds;
}

export async function packagesOf(userId: bigint, filter: object = {}): Promise<UserTrafficPackage[]> {
  return (await edgehelm.call(admin, listUserTrafficPackages, { userId, ...filter })).userTrafficPackages;
}

/** Returns the used gigabytes of all packages of a user, oldest first. */
export async function usedBy(userId: bigint): Promise<number[]> {
  return (await packagesOf(userId)).reverse().map(({ usedBytes }) => Number(usedBytes * 100n / GB) / 100);
}

/** Bills a month and returns the amount for a user. */
export async function billed(userId: bigint, month: string): Promise<number | undefined> {
  await edgehelm.call(admin, UserBillService.method.generateAllUserBills, { month });
  const request = { userId, month, paidFlag: -1 };
  return (await edgehelm.call(admin, UserBillService.method.listUserBills, request)).userBills[0]?.amount;
}
