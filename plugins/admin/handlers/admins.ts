import { callerId, type Handlers, idField, textField } from "edgehelm";
import { usernameField } from "edgehelm/fields";
import { jsonListField } from "edgehelm/wire";
import { AdminModuleSchema } from "edgehelm/proto/models/admin_pb.js";
import { NO_PASSWORD } from "../admins.ts";
import type { AdminService } from "../proto/service_admin_pb.ts";
import type { Deps } from "./deps.ts";

type AdminOperations =
  | "createAdmin"
  | "updateAdmin"
  | "updateAdminInfo"
  | "updateAdminTheme"
  | "updateAdminLang"
  | "deleteAdmin";

/** Handles the operations that create, change and delete admins. */
export function adminHandlers(
  { admins, registry, tokens, deletions }: Deps,
): Pick<Handlers<typeof AdminService>, AdminOperations> {
  return {
    async createAdmin({ username, password, fullname, modulesJSON, isSuper, canLogin }, call) {
      const name = usernameField("username", username);
      jsonListField("modulesJSON", modulesJSON, AdminModuleSchema);
      const admin = { username: name, fullname: textField("fullname", fullname), modulesJSON, isSuper, canLogin };
      const hashed = canLogin || password !== "" ? await registry.requireHash(call, name, password) : NO_PASSWORD;
      return { adminId: await call.transact((inner) => registry.insert(inner, { ...admin, ...hashed })) };
    },

    async updateAdmin({ adminId, username, password, fullname, modulesJSON, isSuper, isOn, canLogin }, call) {
      const id = idField("adminId", adminId);
      const name = usernameField("username", username);
      const modules = jsonListField("modulesJSON", modulesJSON, AdminModuleSchema);
      const hashed = await registry.hash(call, name, password);
      await call.transact(async (inner) => {
        const admin = await registry.require(inner, id);
        if (!isOn || !isSuper) await registry.requireOtherSuper(inner, admin);
        await registry.rename(inner, admin, name);
        await admins.update.run(inner, {
          id,
          fullname: textField("fullname", fullname),
          modulesJSON: modules === undefined ? admin.modulesJSON : modulesJSON,
          isSuper,
          isOn,
          canLogin,
        });
        if (hashed !== undefined) await admins.setPassword.run(inner, { id, ...hashed });
        if (!isOn) await tokens.recheck(inner);
      });
      return {};
    },

    async updateAdminInfo({ adminId, fullname }, call) {
      const { id } = await registry.require(call, idField("adminId", adminId));
      await admins.setFullname.run(call, { id, fullname: textField("fullname", fullname) });
      return {};
    },

    async updateAdminTheme({ adminId, theme }, call) {
      const { id } = await registry.require(call, idField("adminId", adminId));
      await admins.setTheme.run(call, { id, theme: textField("theme", theme, { max: 64 }) });
      return {};
    },

    async updateAdminLang({ langCode }, call) {
      const { id } = await registry.require(call, callerId(call.caller));
      await admins.setLang.run(call, { id, lang: textField("langCode", langCode, { max: 35 }) });
      return {};
    },

    async deleteAdmin({ adminId }, call) {
      const admin = await registry.require(call, idField("adminId", adminId));
      await registry.remove(call, admin, deletions);
      return {};
    },
  };
}
