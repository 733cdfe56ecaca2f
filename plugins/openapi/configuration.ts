import { type DescService, getOption, toJson } from "@bufbuild/protobuf";
import { kind, KindSchema, notConfiguration } from "edgehelm/proto/options_pb.js";
import type { Schema } from "./value_schemas.ts";

/** Returns what a service declares about the configuration that it manages. */
export function configurationOf(service: DescService): Schema {
  const kinds = getOption(service, kind);
  const reason = getOption(service, notConfiguration);
  return {
    ...kinds.length > 0 && { "x-edgehelm-kinds": kinds.map((declared) => toJson(KindSchema, declared)) },
    ...reason !== "" && { "x-edgehelm-not-configuration": reason },
  };
}
