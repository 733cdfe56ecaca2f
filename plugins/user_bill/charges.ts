import { type Call, distinct } from "edgehelm";
import { compactDay } from "edgehelm/fields";
import type { PlanCharge } from "../plan/contract.ts";
import type { ServerDailyStats, ServerTraffic } from "../server_daily_stat/contract.ts";
import type { UserPriceTerms } from "../user/contract.ts";
import { bandwidthCost, bitsOf, regionCost, trafficCost } from "./cost.ts";
import type { BillingDeps } from "./billing_deps.ts";
import { withoutPackages } from "./packages.ts";
import type { Range } from "./periods.ts";
import type { Pricing, RegionPricing, Terms } from "./pricing.ts";
import type { Tariff } from "./tariff.ts";

/** A range of days for which a user is charged. */
export interface Asked {
  readonly userId: bigint;
  readonly range: Range;
  /** The terms of an earlier charge, which still apply; undefined for the current ones. */
  readonly terms: Terms | undefined;
}

/** The amount that a user owes for a range of days. */
export interface Charge {
  /** In the unit of cost.ts. */
  readonly cost: bigint;
  readonly bytes: bigint;
  readonly servers: number;
  readonly terms: Terms;
}

/** Reads the prices of traffic by region, once per run. */
export async function readRegionPricing(call: Call, { regions, priceItems }: BillingDeps): Promise<RegionPricing> {
  const tiers = await priceItems?.trafficTiers(call) ?? [];
  const prices = await regions?.prices(call) ?? [];
  return {
    priceType: "region",
    tiers,
    prices: new Map(
      prices.map(({ nodeRegionId, nodePriceItemId, price }) => [`${nodeRegionId} ${nodePriceItemId}`, price]),
    ),
  };
}

/** Calculates the charges of users for ranges of days. */
export class Charges {
  readonly #stats: ServerDailyStats;
  readonly #deps: BillingDeps;
  readonly #standards: Readonly<Record<Tariff["priceType"], Pricing>>;
  readonly #defaultType: Tariff["priceType"];

  constructor(stats: ServerDailyStats, deps: BillingDeps, tariff: Tariff, regionPricing: RegionPricing) {
    this.#stats = stats;
    this.#deps = deps;
    const { priceType, pricePerGB, bandwidth } = tariff;
    this.#defaultType = priceType;
    this.#standards = {
      bandwidth: { priceType: "bandwidth", bandwidth },
      traffic: pricePerGB > 0n ? { priceType: "traffic", pricePerGB } : regionPricing,
    };
  }

  /** Returns the charges; those without traffic are 0. */
  async of(
    call: Call,
    priceTerms: ReadonlyMap<bigint, UserPriceTerms>,
    asked: readonly Asked[],
  ): Promise<ReadonlyMap<Asked, Charge>> {
    const charges = new Map<Asked, Charge>();
    for (const group of Map.groupBy(asked, ({ range }) => `${range.from} ${range.to}`).values()) {
      await this.#ofRange(call, priceTerms, group, group[0]!.range, charges);
    }
    return charges;
  }

  async #ofRange(
    call: Call,
    priceTerms: ReadonlyMap<bigint, UserPriceTerms>,
    asked: readonly Asked[],
    range: Range,
    charges: Map<Asked, Charge>,
  ): Promise<void> {
    const termsOf = new Map(asked.map(({ userId, terms }) => [userId, terms]));
    const userIds = asked.map(({ userId }) => userId);
    const all = await this.#stats.traffic(call, userIds, compactDay(range.from), compactDay(range.to));
    const isNew = ({ userId, serverId }: ServerTraffic) => termsOf.get(userId)?.ofServers.has(serverId) !== true;
    const planOf = await this.#planCharges(call, all.filter(isNew), range);
    const standardOf = (userId: bigint) =>
      termsOf.get(userId)?.standard ?? this.#standards[priceTerms.get(userId)?.priceType || this.#defaultType];
    const pricingOf = ({ serverId, userId }: ServerTraffic) =>
      termsOf.get(userId)?.ofServers.get(serverId) ?? planOf.get(serverId) ?? standardOf(userId);
    const traffic = await withoutPackages(call, this.#deps.packages, all, range, (row) => pricingOf(row).priceType);
    const bandwidth = await this.#bandwidth(call, traffic, pricingOf, range);

    const rowsOf = Map.groupBy(traffic, ({ userId }) => userId);
    for (const one of asked) {
      const rows = rowsOf.get(one.userId) ?? [];
      const servers = Map.groupBy(rows, ({ serverId }) => serverId);
      const ofServers = new Map<bigint, Pricing>(one.terms?.ofServers);
      let cost = 0n;
      for (const [pricing, priced] of Map.groupBy(rows, pricingOf)) {
        if (pricing.priceType === "region") cost += regionsCost(pricing, priced);
      }
      for (const [serverId, serverRows] of servers) {
        const pricing = pricingOf(serverRows[0]!);
        ofServers.set(serverId, pricing);
        cost += serverCost(pricing, sum(serverRows), bandwidth.get(serverId) ?? 0n);
      }
      const terms = { standard: standardOf(one.userId), ofServers };
      charges.set(one, { cost, bytes: sum(rows), servers: servers.size, terms });
    }
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
}

/** The total traffic of a user in a region determines the tier, and thus the price, of all of it. */
function regionsCost({ tiers, prices }: RegionPricing, rows: readonly ServerTraffic[]): bigint {
  let cost = 0n;
  for (const [regionId, regionRows] of Map.groupBy(rows, (row) => row.regionId)) {
    const bytes = sum(regionRows);
    const bits = bitsOf(bytes);
    const tier = tiers.find(({ bitsFrom, bitsTo }) => bits >= bitsFrom && (bitsTo === 0n || bits < bitsTo));
    cost += regionCost(bytes, prices.get(`${regionId} ${tier?.id}`) ?? 0n);
  }
  return cost;
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
