import { jsonListField } from "edgehelm/wire";
import { type AdminModule, AdminModuleSchema } from "edgehelm/proto/models/admin_pb.js";
import type { AdminRow } from "./store.ts";

/** Returns the modules that an admin may use. */
export function modulesOf({ modulesJSON }: AdminRow): AdminModule[] {
  return jsonListField("modulesJSON", modulesJSON, AdminModuleSchema) ?? [];
}

/** Returns an admin as responses contain them, without the password. */
export function adminMessage(row: AdminRow) {
  return {
    id: row.id,
    fullname: row.fullname,
    username: row.username,
    isOn: row.isOn === 1n,
    isSuper: row.isSuper === 1n,
    createdAt: row.createdAt,
    Modules: modulesOf(row),
    canLogin: row.canLogin === 1n,
    hasWeakPassword: row.hasWeakPassword === 1n,
  };
}
