import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { PlanRow } from "./store.ts";

/** Returns what nodes learn of a plan, in the names of the existing API. Limits of 0 and null are no limits. */
export function planConfig(row: PlanRow): JsonObject {
  return {
    id: Number(row.id),
    name: row.name,
    trafficLimit: parsed(row.trafficLimitJSON),
    bandwidthLimitPerNode: parsed(row.bandwidthLimitPerNodeJSON),
    maxUploadSize: parsed(row.maxUploadSizeJSON),
    dailyRequests: Number(row.dailyRequests),
    monthlyRequests: Number(row.monthlyRequests),
    dailyWebsocketConnections: Number(row.dailyWebsocketConnections),
    monthlyWebsocketConnections: Number(row.monthlyWebsocketConnections),
    hasFullFeatures: row.hasFullFeatures === 1n,
    featureCodes: parsed(row.featuresJSON) ?? [],
  };
}

/** Parses JSON that was validated when it was stored. */
function parsed(json: Uint8Array | null): JsonValue {
  return json === null || json.length === 0 ? null : JSON.parse(new TextDecoder().decode(json));
}
