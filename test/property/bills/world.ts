import { as, stub, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { NodePriceItems } from "../../../plugins/node_price_item/contract.ts";
import { NodeRegions } from "../../../plugins/node_region/contract.ts";
import { type PlanCharge, Plans } from "../../../plugins/plan/contract.ts";
import { Servers } from "../../../plugins/server/contract.ts";
import stats from "../../../plugins/server_daily_stat/plugin.ts";
import { ServerDailyStatService } from "../../../plugins/server_daily_stat/proto/service_server_daily_stat_pb.ts";
import { Users, UserStates } from "../../../plugins/user/contract.ts";
import accounts from "../../../plugins/user_account/plugin.ts";
import { UserAccountService } from "../../../plugins/user_account/proto/service_user_account_pb.ts";
import bills from "../../../plugins/user_bill/plugin.ts";
import { type UserBill, UserBillService } from "../../../plugins/user_bill/proto/service_user_bill_pb.ts";
import { UserPlans } from "../../../plugins/user_plan/contract.ts";
import type { Facts, Prices, Served } from "./facts.ts";

const admin = as.admin();
const MILLIONTHS = 1_000_000;

/** An installation that bills automatically, whose users, sites and plans are facts. */
export class BillWorld {
  readonly clock: TestClock;
  readonly #edgehelm: TestKernel;

  private constructor(clock: TestClock, edgehelm: TestKernel) {
    this.clock = clock;
    this.#edgehelm = edgehelm;
  }

  static async open(facts: Facts, startsAt: number): Promise<BillWorld> {
    const clock = new TestClock(startsAt * 1000, facts.timeZone);
    const edgehelm = await testKernel({
      plugins: [stats, accounts, bills],
      stubs: stubsOf(facts),
      clock,
      config: {
        user_bill: {
          trafficPricePerGB: Number(facts.perGB) / MILLIONTHS,
          bandwidthPricePerMB: Number(facts.perMB) / MILLIONTHS,
          bandwidthPercentile: facts.percentile,
          graceDays: facts.graceDays,
          automatic: true,
        },
      },
    });
    return new BillWorld(clock, edgehelm);
  }

  async upload(served: readonly Served[]): Promise<void> {
    const request = {
      stats: served.map(({ at, serverId, regionId, bytes }) => ({
        ...{ serverId, bytes, nodeRegionId: regionId, createdAt: BigInt(at) },
      })),
    };
    await this.#edgehelm.call(admin, ServerDailyStatService.method.uploadServerDailyStats, request);
  }

  async run(): Promise<void> {
    await this.#edgehelm.kernel.runJob("user_bill.generate");
  }

  async pay({ id, amount, user }: UserBill): Promise<void> {
    const income = { userAccountId: user!.id, delta: amount, eventType: "charge", description: "" };
    await this.#edgehelm.call(admin, UserAccountService.method.updateUserAccount, income);
    await this.#edgehelm.call(admin, UserBillService.method.payUserBill, { userBillId: id });
  }

  /** Returns the newest bills of a user, newest first. */
  async bills(userId: bigint, size: number): Promise<UserBill[]> {
    const request = { userId, paidFlag: -1, size: BigInt(size) };
    return (await this.#edgehelm.call(admin, UserBillService.method.listUserBills, request)).userBills;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#edgehelm[Symbol.asyncDispose]();
  }
}

function stubsOf(facts: Facts) {
  const site = (id: bigint) => ({
    ...{ id, name: `site ${id}`, userId: facts.owners.get(id)!, nodeClusterId: 1n },
    userPlanId: facts.plans.has(id) ? id : 0n,
  });
  return [
    stub(Servers, {
      servedByCaller: async (_call, ids) => new Map(ids.map((id) => [id, { ...site(id), servedUntil: undefined }])),
      summaries: async (_call, ids) => new Map(ids.map((id) => [id, site(id)])),
    }),
    stub(UserPlans, {
      terms: async (_call, ids) => new Map(ids.map((id) => [id, { planId: id, dayTo: facts.plans.get(id)!.dayTo }])),
    }),
    stub(Plans, {
      charges: async (_call, ids) => new Map(ids.map((id) => [id, chargeOf(facts.plans.get(id)!.prices)])),
    }),
    stub(NodeRegions, {
      requireRegion: () => Promise.resolve(),
      prices: async () =>
        [...facts.perGigabit].map(([key, price]) => {
          const [nodeRegionId, nodePriceItemId] = key.split(" ").map(BigInt) as [bigint, bigint];
          return { nodeRegionId, nodePriceItemId, price };
        }),
    }),
    stub(NodePriceItems, { trafficTiers: async () => facts.tiers }),
    stub(Users, {
      summaries: async (_call, ids) =>
        new Map(ids.map((id) => [id, { id, username: `user${id}`, fullname: "" }] as const) as never),
      nested: async (_call, ids) => new Map(ids.map((id) => [id, { id, username: `user${id}` }])),
      priceTerms: async (_call, ids) => new Map(ids.map((id) => [id, facts.users.get(id)!])),
      requireUser: async () => {},
    }),
    stub(UserStates, { derive: async () => {} }),
  ];
}

function chargeOf(prices: Prices): PlanCharge {
  switch (prices.kind) {
    case "prepaid":
      return { priceType: "period" };
    case "traffic":
      return { priceType: "traffic", pricePerGB: prices.perGB };
    case "bandwidth":
      return { priceType: "bandwidth", bandwidth: prices };
    case "regions":
      throw new Error("a plan has no prices of regions");
  }
}
