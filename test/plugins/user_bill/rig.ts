import type { JsonValue } from "@bufbuild/protobuf";
import { as, type Stub, stub, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { NodePriceItems, type NodePriceTier } from "../../../plugins/node_price_item/contract.ts";
import { type NodeRegionPrice, NodeRegions } from "../../../plugins/node_region/contract.ts";
import { type PlanCharge, Plans } from "../../../plugins/plan/contract.ts";
import { ServerDailyStats } from "../../../plugins/server_daily_stat/contract.ts";
import { Servers, type ServerSummary } from "../../../plugins/server/contract.ts";
import { type UserPriceTerms, Users, UserStates } from "../../../plugins/user/contract.ts";
import accounts from "../../../plugins/user_account/plugin.ts";
import { UserAccountService } from "../../../plugins/user_account/proto/service_user_account_pb.ts";
import { UserPlans } from "../../../plugins/user_plan/contract.ts";
import plugin from "../../../plugins/user_bill/plugin.ts";
import { type UserBill, UserBillService } from "../../../plugins/user_bill/proto/service_user_bill_pb.ts";

export const admin = as.admin();
export const GB: bigint = 2n ** 30n;

/** The traffic of a server on a day. */
interface Traffic {
  readonly userId: bigint;
  readonly serverId: bigint;
  readonly regionId: bigint;
  readonly day: string;
  readonly bytes: bigint;
}

/** A simulated network that provides the stubs for billing. All users exist unless they are in `deletedUsers`. */
export class Network {
  readonly #traffic: Traffic[] = [];
  readonly #planOf = new Map<bigint, bigint>();
  readonly #lastDays = new Map<bigint, string>();
  readonly charges = new Map<bigint, PlanCharge>();
  readonly terms = new Map<bigint, UserPriceTerms>();
  readonly deletedUsers = new Set<bigint>();
  /** The users whose states were derived at once. */
  readonly derived: bigint[] = [];
  /** The bandwidth by server in bytes per second, for any percentile. */
  readonly bandwidth = new Map<bigint, bigint>();
  readonly tiers: NodePriceTier[] = [];
  readonly regionPrices: NodeRegionPrice[] = [];
  /** The requested percentiles. */
  readonly percentiles: number[] = [];
  /** Called before statistics are read; it can throw to simulate an interruption. */
  beforeRead: () => void = () => {};

  send(userId: bigint, day: string, bytes: bigint, { serverId = userId * 10n, regionId = 0n } = {}): void {
    this.#traffic.push({ userId, serverId, regionId, day, bytes });
  }

  /** Binds a server to a plan with the charge. */
  bind(serverId: bigint, charge: PlanCharge, dayTo = "2026-12-31"): void {
    const id = serverId + 1000n;
    this.#planOf.set(serverId, id);
    this.#lastDays.set(id, dayTo);
    this.charges.set(id, charge);
  }

  get stubs(): Stub[] {
    const within = (from: string, to: string) => this.#traffic.filter(({ day }) => day >= from && day <= to);
    return [
      stub(ServerDailyStats, {
        samplesFrom: () => "20260101",
        usersWithTraffic: async (_call, from, to, after, limit) => {
          this.beforeRead();
          const ids = new Set(within(from, to).map(({ userId }) => userId).filter((id) => id > after));
          return [...ids].sort((a, b) => a < b ? -1 : 1).slice(0, limit);
        },
        traffic: async (_call, userIds, from, to) => {
          const ids = new Set(userIds);
          const rows = within(from, to).filter(({ userId }) => ids.has(userId));
          return [...Map.groupBy(rows, ({ serverId, regionId }) => `${serverId} ${regionId}`).values()]
            .map((group) => ({ ...group[0]!, bytes: group.reduce((sum, { bytes }) => sum + bytes, 0n) }));
        },
        bandwidth: async (_call, _userIds, _from, _to, percentile) => {
          this.percentiles.push(percentile);
          return this.bandwidth;
        },
      }),
      stub(Servers, {
        summaries: async (_call, ids) => new Map(ids.map((id) => [id, this.#server(id)])),
      }),
      stub(UserPlans, {
        terms: async (_call, ids) => new Map(ids.map((id) => [id, { planId: id, dayTo: this.#lastDays.get(id)! }])),
      }),
      stub(Plans, { charges: async () => this.charges }),
      stub(NodeRegions, { prices: async () => this.regionPrices, requireRegion: () => Promise.resolve() }),
      stub(NodePriceItems, { trafficTiers: async () => this.tiers }),
      stub(Users, {
        summaries: async (_call, ids) =>
          new Map(this.#existing(ids).map((id) => [id, { id, username: `user${id}`, fullname: "" }])),
        nested: async (_call, ids) => new Map(this.#existing(ids).map((id) => [id, { id, username: `user${id}` }])),
        priceTerms: async (_call, ids) =>
          new Map(this.#existing(ids).map((id) => [id, this.terms.get(id) ?? { priceType: "", pricePeriod: "" }])),
        requireUser: async () => {},
      }),
      stub(UserStates, { derive: async (_call, ids) => void this.derived.push(...ids) }),
    ];
  }

  #existing(ids: readonly bigint[]): bigint[] {
    return ids.filter((id) => !this.deletedUsers.has(id));
  }

  #server(id: bigint): ServerSummary {
    return { id, name: `site ${id}`, userId: 0n, nodeClusterId: 1n, userPlanId: this.#planOf.get(id) ?? 0n };
  }
}

/** Starts a kernel with bills and accounts in a simulated network. The date is 15 June 2026. */
export function billKernel(network: Network, config: JsonValue = {}, clock = june15()): Promise<TestKernel> {
  return testKernel({ plugins: [plugin, accounts], stubs: network.stubs, config: { user_bill: config }, clock });
}

export function june15(): TestClock {
  return new TestClock(Date.UTC(2026, 5, 15, 12));
}

export async function generate(edgehelm: TestKernel, period: { month?: string; day?: string }): Promise<void> {
  await edgehelm.call(admin, UserBillService.method.generateAllUserBills, period);
}

/** Returns all bills of a user in order of creation. */
export async function billsOf(edgehelm: TestKernel, userId: bigint): Promise<UserBill[]> {
  const request = { userId, paidFlag: -1, size: 1000n };
  return (await edgehelm.call(admin, UserBillService.method.listUserBills, request)).userBills.reverse();
}

export async function charge(edgehelm: TestKernel, userAccountId: bigint, delta: number): Promise<void> {
  const request = { userAccountId, delta, eventType: "charge", description: "" };
  await edgehelm.call(admin, UserAccountService.method.updateUserAccount, request);
}

export async function balanceOf(edgehelm: TestKernel, userId: bigint): Promise<number | undefined> {
  const { findEnabledUserAccountWithUserId } = UserAccountService.method;
  return (await edgehelm.call(admin, findEnabledUserAccountWithUserId, { userId })).userAccount?.total;
}
