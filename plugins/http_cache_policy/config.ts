import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import { jsonCodec, jsonField, jsonListField } from "edgehelm";
import { SizeCapacitySchema } from "edgehelm/proto/shapes/size_capacity_pb.js";
import { TimeDurationSchema } from "edgehelm/proto/shapes/time_duration_pb.js";
import { type HTTPCachePolicyConfigSchema, HTTPCacheRefSchema, HTTPFileCacheOptionsSchema } from "./shapes_pb.ts";
import type { HTTPCachePolicyRow } from "./store.ts";

/** The whole configuration of a policy. */
export function policyConfig(row: HTTPCachePolicyRow): MessageInitShape<typeof HTTPCachePolicyConfigSchema> {
  const { id, name, description, type } = row;
  const capacity = jsonField("capacityJSON", row.capacityJSON, SizeCapacitySchema);
  const maxSize = jsonField("maxSizeJSON", row.maxSizeJSON, SizeCapacitySchema);
  const fetchTimeout = jsonField("fetchTimeoutJSON", row.fetchTimeoutJSON, TimeDurationSchema);
  return {
    id,
    isOn: row.isOn === 1n,
    name,
    description,
    type,
    ...(capacity && { capacity }),
    ...(maxSize && { maxSize }),
    ...(fetchTimeout && { fetchTimeout }),
    options: optionsOf(row),
    syncCompressionCache: row.syncCompressionCache === 1n,
    cacheRefs: jsonListField("refsJSON", row.refsJSON, HTTPCacheRefSchema) ?? [],
  };
}

function optionsOf({ type, optionsJSON }: HTTPCachePolicyRow): JsonObject {
  const options = type === "file" ? jsonField("optionsJSON", optionsJSON, HTTPFileCacheOptionsSchema) : undefined;
  return options === undefined ? {} : JSON.parse(jsonCodec(HTTPFileCacheOptionsSchema).encode(options));
}
