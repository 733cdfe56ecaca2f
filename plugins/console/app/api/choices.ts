import { textValuesOf } from "edgehelm/wire";
import type { Operation } from "./model.ts";

/**
 * Returns the values that the texts of objects may have, by the path of the field, such as `pb.Plan.priceType`: those
 * that requests of the same service declare for a field of the same name.
 */
export function choicesOf(operations: readonly Operation[]): ReadonlyMap<string, ReadonlySet<string>> {
  const choices = new Map<string, Set<string>>();
  for (const { service, method: { input } } of operations) {
    const message = service.typeName.replace(/Service$/, "");
    for (const field of input.fields) {
      const path = `${message}.${field.name}`;
      const values = textValuesOf(field).filter((value) => value !== "");
      if (values.length > 0) choices.set(path, new Set([...choices.get(path) ?? [], ...values]));
    }
  }
  return choices;
}
