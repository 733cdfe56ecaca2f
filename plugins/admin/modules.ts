import { invalid } from "edgehelm";
import type { Module } from "edgehelm/auth";
import { jsonListField } from "edgehelm/wire";
import { type AdminModule, AdminModuleSchema } from "edgehelm/proto/models/admin_pb.js";
import { modulesOf } from "./messages.ts";
import type { AdminRow } from "./store.ts";

/**
 * Returns the modules in a request, or undefined for an empty field.
 *
 * @param known the modules of the installation
 * @param admin the admin to change, who keeps modules of plugins that are no longer enabled
 * @throws RpcError invalid if an entry has another code
 */
export function modulesField(
  known: readonly Module[],
  modulesJSON: Uint8Array,
  admin?: AdminRow,
): AdminModule[] | undefined {
  const modules = jsonListField("modulesJSON", modulesJSON, AdminModuleSchema);
  const codes = known.map(({ code }) => code);
  const kept = admin === undefined ? [] : modulesOf(admin).map(({ code }) => code);
  for (const [index, { code }] of (modules ?? []).entries()) {
    if (codes.includes(code) || kept.includes(code)) continue;
    throw invalid(`modulesJSON[${index}].code`, `must be one of ${codes.join(", ")}, got "${code}"`);
  }
  return modules;
}
