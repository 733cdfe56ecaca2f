import { getOption } from "@bufbuild/protobuf";
import { kind } from "edgehelm/proto/options_pb.js";
import type { Operation } from "./model.ts";

/**
 * Returns what the fields refer to whose names do not say it: the noun by the path of the field, such as
 * `pb.CreatePlanRequest.clusterId`.
 */
export function referencesOf(operations: readonly Operation[]): ReadonlyMap<string, string> {
  const references = new Map<string, string>();
  for (const { service, method: { input } } of operations) {
    // Kinds that share a service have a constant; what a field refers to depends on it.
    for (const { field } of getOption(service, kind).filter(({ constant }) => constant.length === 0)) {
      for (const { name, kind: noun, prefix } of field) {
        if (noun === "" || prefix !== "") continue;
        if (input.fields.some(({ localName }) => localName === name)) references.set(`${input.typeName}.${name}`, noun);
      }
    }
  }
  return references;
}
