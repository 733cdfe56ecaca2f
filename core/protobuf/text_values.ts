import { type DescField, getOption, ScalarType } from "@bufbuild/protobuf";
import { values } from "../../proto/options_pb.ts";

/**
 * Returns the values that a text of a request may have, in the order in which people are offered them; none if it may be
 * any text. The first is empty if the text may be left out.
 *
 * @param field the field, from the descriptor of its message; of a list, the values of its items
 *
 * @example
 * ```ts
 * import { deepEqual } from "node:assert/strict";
 * import { textValuesOf } from "edgehelm/wire";
 * import { CreatePlanRequestSchema } from "edgehelm/plugins/plan/proto/service_plan_pb.js";
 *
 * deepEqual(textValuesOf(CreatePlanRequestSchema.field.priceType), ["period", "traffic", "bandwidth"]);
 * deepEqual(textValuesOf(CreatePlanRequestSchema.field.name), []);
 * ```
 */
export function textValuesOf(field: DescField): readonly string[] {
  const isText = field.fieldKind !== "map" && field.scalar === ScalarType.STRING;
  const declared = isText ? getOption(field, values) : "";
  return declared === "" ? [] : declared.split("|");
}
