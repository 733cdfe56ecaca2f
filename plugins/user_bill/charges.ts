import { type Call, distinct } from "edgehelm";
import { compactDay } from "edgehelm/fields";
import type { NodePriceTier } from "../node_price_item/contract.ts";
import type { PlanCharge } from "../plan/contract.ts";
import type { ServerDailyStats, ServerTraffic } from "../server_daily_stat/contract.ts";
import type { UserPriceTerms } from "../user/contract.ts";
import { bandwidthCost, bitsOf, regionCost, trafficCost } from "./cost.ts";
import type { BillingDeps } from "./billing_deps.ts";
import { withoutPackages } from "./packages.ts";
import type { Range } from "./periods.ts";
import type { Tariff } from "./tariff.ts";

/** The amount that a user owes for a range of days. */
export interface Charge {
  /** In the unit of cost.ts. */
  readonly cost: bigint;
  readonly bytes: bigint;
  readonly servers: number;
}

/** The pricing of a server: that of its plan, of the installation, or of regions. */
type Pricing = PlanCharge | { readonly priceType: "region" };

/** The prices of traffic by region, read once per run. */
export interface RegionPrices {
  /** The tiers, sorted by descending lower bound. */
  readonly tiers: readonly NodePriceTier[];
  /** The price per gigabit in millionths of the currency unit, by region and price item. */
  readonly prices: ReadonlyMap<string, bigint>;
}

export async function readRegionPrices(call: Call, { regions, priceItems }: BillingDeps): Promise<RegionPrices> {
  const tiers = await priceItems?.trafficTiers(call) ?? [];
  const prices = await regions?.prices(call) ?? [];
  return {
    tiers,
    prices: new Map(
      prices.map(({ nodeRegionId, nodePriceItemId, price }) => [`${nodeRegionId} ${nodePriceItemId}`, price]),
    ),
  };
}

/** Calculates the charges of users for a range of days; users without traffic have none. */
export class Charges {
  readonly #stats: ServerDailyStats;
  readonly #deps: BillingDeps;
  readonly #tariff: Tariff;
  readonly #regionPrices: RegionPrices;

  constructor(stats: ServerDailyStats, deps: BillingDeps, tariff: Tariff, regionPrices: RegionPrices) {
    this.#stats = stats;
    this.#deps = deps;
    this.#tariff = tariff;
    this.#regionPrices = regionPrices;
  }

  async of(
    call: Call,
    terms: ReadonlyMap<bigint, UserPriceTerms>,
    userIds: readonly bigint[],
    range: Range,
  ): Promise<ReadonlyMap<bigint, Charge>> {
    const all = await this.#stats.traffic(call, userIds, compactDay(range.from), compactDay(range.to));
    const planOf = await this.#planCharges(call, all, range);
    const pricingOf = ({ serverId, userId }: ServerTraffic) =>
      planOf.get(serverId) ?? this.#defaultPricing(terms.get(userId));
    const traffic = await withoutPackages(call, this.#deps.packages, all, range, (row) => pricingOf(row).priceType);
    const bandwidth = await this.#bandwidth(call, traffic, pricingOf, range);

    const charges = new Map<bigint, Charge>();
    for (const [userId, rows] of Map.groupBy(traffic, (row) => row.userId)) {
      const servers = Map.groupBy(rows, ({ serverId }) => serverId);
      let cost = this.#regionCost(rows.filter((row) => pricingOf(row).priceType === "region"));
      for (const [serverId, serverRows] of servers) {
        cost += serverCost(pricingOf(serverRows[0]!), sum(serverRows), bandwidth.get(serverId) ?? 0n);
      }
      charges.set(userId, { cost, bytes: sum(rows), servers: servers.size });
    }
    return charges;
  }

  /** Returns the charges of plans by server, except for plans that ended before the range. */
  async #planCharges(
    call: Call,
    traffic: readonly ServerTraffic[],
    { from }: Range,
  ): Promise<ReadonlyMap<bigint, PlanCharge>> {
    const { servers, userPlans, plans } = this.#deps;
    const summaries = await servers?.summaries(call, distinct(traffic.map(({ serverId }) => serverId)));
    const bound = [...summaries?.values() ?? []].filter(({ userPlanId }) => userPlanId !== 0n);
    if (bound.length === 0) return new Map();
    const planTerms = await userPlans?.terms(call, distinct(bound.map(({ userPlanId }) => userPlanId)));
    const active = new Map([...planTerms ?? []].filter(([, { dayTo }]) => dayTo >= from));
    const charges = await plans?.charges(call, distinct([...active.values()].map(({ planId }) => planId)));
    return new Map(bound.flatMap(({ id, userPlanId }) => {
      const charge = charges?.get(active.get(userPlanId)?.planId ?? 0n);
      return charge === undefined ? [] : [[id, charge] as const];
    }));
  }

  #defaultPricing(terms: UserPriceTerms | undefined): Pricing {
    const { priceType, pricePerGB, bandwidth } = this.#tariff;
    if ((terms?.priceType || priceType) === "bandwidth") return { priceType: "bandwidth", bandwidth };
    return pricePerGB > 0n ? { priceType: "traffic", pricePerGB } : { priceType: "region" };
  }

  /** Returns the bandwidth in bytes per second of the servers that are charged by bandwidth. */
  async #bandwidth(
    call: Call,
    traffic: readonly ServerTraffic[],
    pricingOf: (row: ServerTraffic) => Pricing,
    { from, to }: Range,
  ): Promise<ReadonlyMap<bigint, bigint>> {
    const found = new Map<bigint, bigint>();
    const charged = traffic.flatMap((row) => {
      const pricing = pricingOf(row);
      return pricing.priceType === "bandwidth" ? [{ ...row, percentile: pricing.bandwidth.percentile }] : [];
    });
    for (const [percentile, rows] of Map.groupBy(charged, (row) => row.percentile)) {
      const userIds = distinct(rows.map(({ userId }) => userId));
      const measured = await this.#stats.bandwidth(call, userIds, compactDay(from), compactDay(to), percentile);
      for (const { serverId } of rows) found.set(serverId, measured.get(serverId) ?? 0n);
    }
    return found;
  }

  /** The total traffic of a user in a region determines the tier, and thus the price, of all of it. */
  #regionCost(rows: readonly ServerTraffic[]): bigint {
    const { tiers, prices } = this.#regionPrices;
    let cost = 0n;
    for (const [regionId, regionRows] of Map.groupBy(rows, (row) => row.regionId)) {
      const bytes = sum(regionRows);
      const bits = bitsOf(bytes);
      const tier = tiers.find(({ bitsFrom, bitsTo }) => bits >= bitsFrom && (bitsTo === 0n || bits < bitsTo));
      cost += regionCost(bytes, prices.get(`${regionId} ${tier?.id}`) ?? 0n);
    }
    return cost;
  }
}

/** Returns the cost of a server. Region prices are applied to all servers of a user together. */
function serverCost(pricing: Pricing, bytes: bigint, bytesPerSecond: bigint): bigint {
  switch (pricing.priceType) {
    case "traffic":
      return trafficCost(bytes, pricing.pricePerGB);
    case "bandwidth":
      return bandwidthCost(bytesPerSecond, pricing.bandwidth);
    case "period":
    case "region":
      return 0n;
  }
}

function sum(rows: readonly { readonly bytes: bigint }[]): bigint {
  return rows.reduce((total, { bytes }) => total + bytes, 0n);
}
