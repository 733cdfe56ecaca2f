import { invalid } from "edgehelm";
import { amountNumber } from "edgehelm/fields";
import { featuresOf, planConfig } from "./configs.ts";
import { errors } from "./errors.ts";
import type { PlanCharge, Plans, PlanSummary } from "./contract.ts";
import { bandwidthPrice, trafficPrice } from "./price_rules.ts";
import { quotasOf } from "./quota_rules.ts";
import type { PlanRow, PlanStore } from "./store.ts";

/** Implements the contract on top of the store. */
export function plansContract(plans: PlanStore): Plans {
  return {
    summaries: plans.references(summary).summaries,
    async requirePlan(call, field, id) {
      return summary(await plans.byId.require(call, { id }, () => invalid(field, errors.not_found(id).message)));
    },
    async quotas(call, ids) {
      return new Map((await plans.quotas.all(call, { ids: [...ids] })).map((row) => [row.id, quotasOf(row)]));
    },
    async configs(call, ids) {
      const rows = await plans.byIdsWithDeleted.all(call, { ids: [...ids] });
      return new Map(rows.map((row) => [row.id, planConfig(row)]));
    },
    async charges(call, ids) {
      const rows = await plans.byIdsWithDeleted.all(call, { ids: [...ids] });
      return new Map(rows.map((row) => [row.id, charge(row)]));
    },
  };
}

function summary(row: PlanRow): PlanSummary {
  const { id, name, clusterId, priceType, monthlyPrice, seasonallyPrice, yearlyPrice } = row;
  return {
    id,
    name,
    isOn: row.isOn === 1n,
    clusterId,
    priceType,
    totalServers: Number(row.totalServers),
    totalServerNamesPerServer: Number(row.totalServerNamesPerServer),
    totalServerNames: Number(row.totalServerNames),
    features: featuresOf(row),
    periodPrices: { monthly: monthlyPrice, seasonally: seasonallyPrice, yearly: yearlyPrice },
  };
}

/** Returns the charge of a plan. The JSON of its price type was validated when it was stored. */
function charge({ priceType, trafficPriceJSON, bandwidthPriceJSON }: PlanRow): PlanCharge {
  switch (priceType) {
    case "period":
      return { priceType };
    case "traffic":
      return { priceType, pricePerGB: trafficPrice("trafficPriceJSON", trafficPriceJSON!)! };
    case "bandwidth":
      return { priceType, bandwidth: bandwidthPrice("bandwidthPriceJSON", bandwidthPriceJSON!)! };
  }
}

/** Returns a plan without prices and settings. */
export function basicMessage({ id, isOn, name, clusterId, priceType, description, ...row }: PlanRow) {
  return {
    id,
    isOn: isOn === 1n,
    name,
    clusterId,
    priceType,
    description,
    totalServers: Number(row.totalServers),
    totalServerNamesPerServer: Number(row.totalServerNamesPerServer),
    totalServerNames: Number(row.totalServerNames),
    hasFullFeatures: row.hasFullFeatures === 1n,
  };
}

export function planMessage(row: PlanRow) {
  const empty = new Uint8Array();
  return {
    ...basicMessage(row),
    monthlyPrice: amountNumber(row.monthlyPrice),
    seasonallyPrice: amountNumber(row.seasonallyPrice),
    yearlyPrice: amountNumber(row.yearlyPrice),
    trafficPriceJSON: row.trafficPriceJSON ?? empty,
    bandwidthPriceJSON: row.bandwidthPriceJSON ?? empty,
    trafficLimitJSON: row.trafficLimitJSON ?? empty,
    bandwidthLimitPerNodeJSON: row.bandwidthLimitPerNodeJSON ?? empty,
    maxUploadSizeJSON: row.maxUploadSizeJSON ?? empty,
    featuresJSON: row.featuresJSON ?? empty,
    ...(row.quotasJSON !== null && { quotasJSON: row.quotasJSON }),
    dailyRequests: row.dailyRequests,
    monthlyRequests: row.monthlyRequests,
    dailyWebsocketConnections: row.dailyWebsocketConnections,
    monthlyWebsocketConnections: row.monthlyWebsocketConnections,
  };
}
