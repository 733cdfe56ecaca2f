import { type Call, compactDay, distinct } from "edgehelm";
import type { NodePriceTier } from "../node_price_item/contract.ts";
import type { PlanCharge } from "../plan/contract.ts";
import type { ServerDailyStats, ServerTraffic } from "../server_daily_stat/contract.ts";
import type { UserPriceTerms } from "../user/contract.ts";
import { bandwidthCost, bitsOf, regionCost, trafficCost } from "./cost.ts";
import type { Neighbours } from "./neighbours.ts";
import type { Range } from "./periods.ts";
import type { Tariff } from "./tariff.ts";

/** What a user owes for some days. */
export interface Charge {
  /** In the parts of cost.ts. */
  readonly cost: bigint;
  readonly bytes: bigint;
  readonly servers: number;
}

/** How one server is charged: by its plan, or by what the installation and its owner say. */
type Pricing = PlanCharge | { readonly priceType: "region" };

/** What traffic costs by region, read once for a run. */
export interface RegionPrices {
  /** From the highest start down. */
  readonly tiers: readonly NodePriceTier[];
  /** For a gigabit, in millionths of the currency, by region and price item. */
  readonly prices: ReadonlyMap<string, bigint>;
}

export async function readRegionPrices(call: Call, { regions, priceItems }: Neighbours): Promise<RegionPrices> {
  const tiers = await priceItems?.trafficTiers(call) ?? [];
  const prices = await regions?.prices(call) ?? [];
  return {
    tiers,
    prices: new Map(
      prices.map(({ nodeRegionId, nodePriceItemId, price }) => [`${nodeRegionId} ${nodePriceItemId}`, price]),
    ),
  };
}

/** Works out what users owe for the same days. Users who sent nothing are missing from the map. */
export class Charges {
  readonly #stats: ServerDailyStats;
  readonly #neighbours: Neighbours;
  readonly #tariff: Tariff;
  readonly #regionPrices: RegionPrices;

  constructor(stats: ServerDailyStats, neighbours: Neighbours, tariff: Tariff, regionPrices: RegionPrices) {
    this.#stats = stats;
    this.#neighbours = neighbours;
    this.#tariff = tariff;
    this.#regionPrices = regionPrices;
  }

  async of(
    call: Call,
    terms: ReadonlyMap<bigint, UserPriceTerms>,
    userIds: readonly bigint[],
    range: Range,
  ): Promise<ReadonlyMap<bigint, Charge>> {
    const traffic = await this.#stats.traffic(call, userIds, compactDay(range.from), compactDay(range.to));
    const planOf = await this.#planCharges(call, traffic, range);
    const pricingOf = ({ serverId, userId }: ServerTraffic) =>
      planOf.get(serverId) ?? this.#ownPricing(terms.get(userId));
    const bandwidth = await this.#bandwidth(call, traffic, pricingOf, range);

    const charges = new Map<bigint, Charge>();
    for (const [userId, rows] of Map.groupBy(traffic, (row) => row.userId)) {
      const servers = Map.groupBy(rows, ({ serverId }) => serverId);
      let cost = this.#regionCost(rows.filter((row) => pricingOf(row).priceType === "region"));
      for (const [serverId, own] of servers) {
        cost += serverCost(pricingOf(own[0]!), sum(own), bandwidth.get(serverId) ?? 0n);
      }
      charges.set(userId, { cost, bytes: sum(rows), servers: servers.size });
    }
    return charges;
  }

  /** How the plans of servers charge them, by server. A plan that ended before pays for nothing. */
  async #planCharges(
    call: Call,
    traffic: readonly ServerTraffic[],
    { from }: Range,
  ): Promise<ReadonlyMap<bigint, PlanCharge>> {
    const { servers, userPlans, plans } = this.#neighbours;
    const summaries = await servers?.summaries(call, distinct(traffic.map(({ serverId }) => serverId)));
    const bound = [...summaries?.values() ?? []].filter(({ userPlanId }) => userPlanId !== 0n);
    if (bound.length === 0) return new Map();
    const all = await userPlans?.terms(call, distinct(bound.map(({ userPlanId }) => userPlanId)));
    const lasting = new Map([...all ?? []].filter(([, { dayTo }]) => dayTo >= from));
    const charges = await plans?.charges(call, distinct([...lasting.values()].map(({ planId }) => planId)));
    return new Map(bound.flatMap(({ id, userPlanId }) => {
      const charge = charges?.get(lasting.get(userPlanId)?.planId ?? 0n);
      return charge === undefined ? [] : [[id, charge] as const];
    }));
  }

  #ownPricing(terms: UserPriceTerms | undefined): Pricing {
    const { priceType, pricePerGB, bandwidth } = this.#tariff;
    if ((terms?.priceType || priceType) === "bandwidth") return { priceType: "bandwidth", bandwidth };
    return pricePerGB > 0n ? { priceType: "traffic", pricePerGB } : { priceType: "region" };
  }

  /** The bandwidth of servers that are charged by it, in bytes a second. */
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
      const all = await this.#stats.bandwidth(call, userIds, compactDay(from), compactDay(to), percentile);
      for (const { serverId } of rows) found.set(serverId, all.get(serverId) ?? 0n);
    }
    return found;
  }

  /** What one user sent in a region decides the step, and so the price, of all of it. */
  #regionCost(rows: readonly ServerTraffic[]): bigint {
    const { tiers, prices } = this.#regionPrices;
    let cost = 0n;
    for (const [regionId, own] of Map.groupBy(rows, (row) => row.regionId)) {
      const bytes = sum(own);
      const bits = bitsOf(bytes);
      const tier = tiers.find(({ bitsFrom, bitsTo }) => bits >= bitsFrom && (bitsTo === 0n || bits < bitsTo));
      cost += regionCost(bytes, prices.get(`${regionId} ${tier?.id}`) ?? 0n);
    }
    return cost;
  }
}

/** What regions charge is worked out for all servers of a user together. */
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
