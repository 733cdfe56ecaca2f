import { invalid, textField } from "edgehelm";
import { jsonListBytes, jsonListField } from "edgehelm/wire";
import { PlanQuotaSchema } from "edgehelm/proto/shapes/plan_pb.js";
import type { UserQuotas } from "../user_quota/contract.ts";

const FIELD = "quotasJSON";

/** Validates the quotas of a plan. Returns undefined for empty bytes. */
export function quotaBytes(json: Uint8Array, known: UserQuotas | undefined): Uint8Array | undefined {
  const quotas = jsonListField(FIELD, json, PlanQuotaSchema);
  if (quotas === undefined) return undefined;
  const names = new Set<string>();
  for (const [index, { name, max }] of quotas.entries()) {
    const path = `${FIELD}[${index}]`;
    textField(`${path}.name`, name, { min: 1, max: 100 });
    if (known === undefined) throw invalid(FIELD, "must be empty, because quotas are not enabled");
    known.requireName(`${path}.name`, name);
    if (names.has(name)) throw invalid(`${path}.name`, `quota "${name}" is listed twice`);
    names.add(name);
    if (max < 0n) throw invalid(`${path}.max`, `must not be negative, got ${max}`);
  }
  return jsonListBytes(PlanQuotaSchema, quotas);
}

/** Returns the stored quotas of a plan by name. */
export function quotasOf({ quotasJSON }: { readonly quotasJSON: Uint8Array | null }): ReadonlyMap<string, bigint> {
  const quotas = quotasJSON === null ? undefined : jsonListField(FIELD, quotasJSON, PlanQuotaSchema);
  return new Map(quotas?.map(({ name, max }) => [name, max]));
}
