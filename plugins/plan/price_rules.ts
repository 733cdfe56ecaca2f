import { invalid, jsonField } from "edgehelm";
import { rateField } from "edgehelm/fields";
import { PlanBandwidthPriceSchema, PlanTrafficPriceSchema } from "edgehelm/proto/shapes/plan_pb.js";
import type { BandwidthPrice } from "./contract.ts";

const DEFAULT_PERCENTILE = 95;
const MAX_RANGES = 100;

/** Returns the price per GB in trafficPriceJSON, in millionths, or undefined for empty bytes. */
export function trafficPrice(field: string, json: Uint8Array): bigint | undefined {
  const price = jsonField(field, json, PlanTrafficPriceSchema);
  return price && rateField(`${field}.base`, price.base);
}

/** Returns the price in bandwidthPriceJSON, or undefined for empty bytes. */
export function bandwidthPrice(field: string, json: Uint8Array): BandwidthPrice | undefined {
  const price = jsonField(field, json, PlanBandwidthPriceSchema);
  if (price === undefined) return undefined;
  const { percentile = DEFAULT_PERCENTILE, ranges } = price;
  if (percentile < 1 || percentile > 100) {
    throw invalid(`${field}.percentile`, `must be 1 to 100, got ${percentile}`);
  }
  if (ranges.length === 0 || ranges.length > MAX_RANGES) {
    throw invalid(`${field}.ranges`, `must have 1 to ${MAX_RANGES} ranges, got ${ranges.length}`);
  }
  const steps = ranges.map((range, index) => {
    const path = `${field}.ranges[${index}]`;
    const min = rateField(`${path}.minMB`, range.minMB);
    const max = rateField(`${path}.maxMB`, range.maxMB);
    if (max !== 0n && max <= min) {
      throw invalid(
        `${path}.maxMB`,
        `must be 0 for no upper bound, or greater than minMB (${range.minMB}), got ${range.maxMB}`,
      );
    }
    return {
      min,
      max,
      pricePerMB: rateField(`${path}.pricePerMB`, range.pricePerMB),
      totalPrice: rateField(`${path}.totalPrice`, range.totalPrice),
    };
  });
  return { percentile, steps };
}
