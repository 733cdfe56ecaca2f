import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { NodeConfigPart } from "../node/contract.ts";
import type { PlanRow, PlanStore } from "./store.ts";

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
    hasFullFeatures: featuresOf(row) === undefined,
    featureCodes: parsed(row.featuresJSON) ?? [],
  };
}

/** The part of a node's configuration with all plans by id, to which the plans of its sites refer. */
export function plansPart(plans: PlanStore): NodeConfigPart {
  return {
    name: "plans",
    async compose(call) {
      const rows = await plans.list.all(call, {});
      return JSON.stringify(Object.fromEntries(rows.map((row) => [String(row.id), planConfig(row)])));
    },
  };
}

/** Returns the features to which a plan limits its sites; undefined if it has all, or no list of them. */
export function featuresOf({ hasFullFeatures, featuresJSON }: PlanRow): ReadonlySet<string> | undefined {
  const codes = hasFullFeatures === 1n ? null : parsed(featuresJSON);
  return codes === null ? undefined : new Set(codes as string[]);
}

/** Parses JSON that was validated when it was stored. */
function parsed(json: Uint8Array | null): JsonValue {
  return json === null || json.length === 0 ? null : JSON.parse(new TextDecoder().decode(json));
}
