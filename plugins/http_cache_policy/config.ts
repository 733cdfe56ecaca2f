import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import { jsonField } from "edgehelm";
import { durationJSON, sizeJSON } from "edgehelm/fields";
import { jsonCodec, jsonListField } from "edgehelm/wire";
import { type HTTPCachePolicyConfigSchema, HTTPCacheRefSchema, HTTPFileCacheOptionsSchema } from "./proto/shapes_pb.ts";
import type { HTTPCachePolicyRow } from "./store.ts";

/** Returns the complete configuration of a policy. */
export function policyConfig(row: HTTPCachePolicyRow): MessageInitShape<typeof HTTPCachePolicyConfigSchema> {
  const { id, name, description, type } = row;
  const capacity = sizeJSON("capacityJSON", row.capacityJSON);
  const maxSize = sizeJSON("maxSizeJSON", row.maxSizeJSON);
  const fetchTimeout = durationJSON("fetchTimeoutJSON", row.fetchTimeoutJSON);
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
