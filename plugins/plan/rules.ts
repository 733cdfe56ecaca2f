import { choiceField, invalid, jsonBytes, jsonField, textField } from "edgehelm";
import { amountField } from "edgehelm/fields";
import {
  BitSizeCapacitySchema,
  PlanBandwidthPriceSchema,
  PlanTrafficLimitSchema,
  PlanTrafficPriceSchema,
} from "edgehelm/proto/shapes/plan_pb.js";
import { type SizeCapacity, SizeCapacitySchema } from "edgehelm/proto/shapes/size_capacity_pb.js";
import type { Users } from "../user/contract.ts";
import type { UserQuotas } from "../user_quota/contract.ts";
import type { PlanPriceType } from "./contract.ts";
import { bandwidthPrice, trafficPrice } from "./price_rules.ts";
import { quotaBytes } from "./quota_rules.ts";
import type { CreatePlanRequest } from "./proto/service_plan_pb.ts";
import type { PlanFields, PlanRow } from "./store.ts";

const PRICE_TYPES: readonly PlanPriceType[] = ["period", "traffic", "bandwidth"];
const SIZE_UNITS = ["byte", "kb", "mb", "gb", "tb", "pb", "eb"];
const BIT_UNITS = ["b", "kb", "mb", "gb", "tb", "pb", "eb"];
const MAX_FEATURES = 200;

type Request = Omit<CreatePlanRequest, "$typeName" | "$unknown">;

/** Provides the names that the JSON of a plan may contain. */
export interface Known {
  readonly quotas: UserQuotas | undefined;
  readonly users: Users | undefined;
}

/**
 * Validates a request that creates or updates a plan.
 *
 * @param current The stored plan, whose JSON is kept if the field of the request is empty.
 */
export function planFields(request: Request, { quotas, users }: Known, current?: PlanRow): PlanFields {
  const fields = {
    name: textField("name", request.name, { min: 1 }),
    description: textField("description", request.description, { max: 10_000 }),
    clusterId: count("clusterId", request.clusterId),
    priceType: choiceField("priceType", request.priceType, PRICE_TYPES),
    monthlyPrice: amountField("monthlyPrice", request.monthlyPrice, { float: true }),
    seasonallyPrice: amountField("seasonallyPrice", request.seasonallyPrice, { float: true }),
    yearlyPrice: amountField("yearlyPrice", request.yearlyPrice, { float: true }),
    trafficPriceJSON: trafficPriceBytes(request.trafficPriceJSON) ?? current?.trafficPriceJSON ?? null,
    bandwidthPriceJSON: bandwidthPriceBytes(request.bandwidthPriceJSON) ?? current?.bandwidthPriceJSON ?? null,
    trafficLimitJSON: trafficLimitBytes(request.trafficLimitJSON) ?? current?.trafficLimitJSON ?? null,
    bandwidthLimitPerNodeJSON: bitSizeBytes(request.bandwidthLimitPerNodeJSON) ?? current?.bandwidthLimitPerNodeJSON ??
      null,
    maxUploadSizeJSON: sizeBytes(request.maxUploadSizeJSON) ?? current?.maxUploadSizeJSON ?? null,
    featuresJSON: featureBytes(request.featuresJSON, users) ?? current?.featuresJSON ?? null,
    quotasJSON: quotaBytes(request.quotasJSON, quotas) ?? current?.quotasJSON ?? null,
    hasFullFeatures: request.hasFullFeatures ? 1n : 0n,
    totalServers: count("totalServers", request.totalServers),
    totalServerNamesPerServer: count("totalServerNamesPerServer", request.totalServerNamesPerServer),
    totalServerNames: count("totalServerNames", request.totalServerNames),
    dailyRequests: count("dailyRequests", request.dailyRequests),
    monthlyRequests: count("monthlyRequests", request.monthlyRequests),
    dailyWebsocketConnections: count("dailyWebsocketConnections", request.dailyWebsocketConnections),
    monthlyWebsocketConnections: count("monthlyWebsocketConnections", request.monthlyWebsocketConnections),
  };
  for (const priceType of ["traffic", "bandwidth"] as const) {
    const field = `${priceType}PriceJSON` as const;
    if (fields.priceType === priceType && fields[field] === null) {
      throw invalid(field, `is required for a plan of the price type ${priceType}`);
    }
  }
  return fields;
}

function count(field: string, value: number | bigint): bigint {
  if (value < 0) throw invalid(field, `must not be negative, got ${value}`);
  return BigInt(value);
}

function trafficPriceBytes(json: Uint8Array): Uint8Array | undefined {
  if (trafficPrice("trafficPriceJSON", json) === undefined) return undefined;
  return jsonBytes(PlanTrafficPriceSchema, jsonField("trafficPriceJSON", json, PlanTrafficPriceSchema)!);
}

function bandwidthPriceBytes(json: Uint8Array): Uint8Array | undefined {
  const price = bandwidthPrice("bandwidthPriceJSON", json);
  if (price === undefined) return undefined;
  const shape = jsonField("bandwidthPriceJSON", json, PlanBandwidthPriceSchema)!;
  return jsonBytes(PlanBandwidthPriceSchema, { ...shape, percentile: price.percentile });
}

function trafficLimitBytes(json: Uint8Array): Uint8Array | undefined {
  const limit = jsonField("trafficLimitJSON", json, PlanTrafficLimitSchema);
  if (limit === undefined) return undefined;
  for (const field of ["dailySize", "monthlySize", "totalSize"] as const) {
    const size = limit[field];
    if (size !== undefined) requireUnit(`trafficLimitJSON.${field}`, size, SIZE_UNITS);
  }
  return jsonBytes(PlanTrafficLimitSchema, limit);
}

function sizeBytes(json: Uint8Array): Uint8Array | undefined {
  const size = jsonField("maxUploadSizeJSON", json, SizeCapacitySchema);
  if (size === undefined) return undefined;
  requireUnit("maxUploadSizeJSON", size, SIZE_UNITS);
  return jsonBytes(SizeCapacitySchema, size);
}

function bitSizeBytes(json: Uint8Array): Uint8Array | undefined {
  const size = jsonField("bandwidthLimitPerNodeJSON", json, BitSizeCapacitySchema);
  if (size === undefined) return undefined;
  requireUnit("bandwidthLimitPerNodeJSON", size, BIT_UNITS);
  return jsonBytes(BitSizeCapacitySchema, size);
}

function requireUnit(field: string, { unit }: Pick<SizeCapacity, "unit">, units: readonly string[]): void {
  choiceField(`${field}.unit`, unit, units);
}

/** Returns a JSON array of distinct feature codes. Refuses unknown ones, unless users are not enabled. */
function featureBytes(json: Uint8Array, users: Users | undefined): Uint8Array | undefined {
  if (json.length === 0) return undefined;
  let codes: unknown;
  try {
    codes = JSON.parse(new TextDecoder().decode(json));
  } catch {
    throw invalid("featuresJSON", "must be a JSON array of feature codes");
  }
  if (!Array.isArray(codes) || codes.length > MAX_FEATURES || codes.some((code) => typeof code !== "string")) {
    throw invalid("featuresJSON", `must be a JSON array of at most ${MAX_FEATURES} feature codes`);
  }
  const known = users?.features().map(({ code }) => code) ?? codes as string[];
  for (const [index, code] of (codes as string[]).entries()) choiceField(`featuresJSON[${index}]`, code, known);
  return new TextEncoder().encode(JSON.stringify([...new Set(codes)]));
}
