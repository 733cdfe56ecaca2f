import { callerId, type Handlers, idField, jsonListField, textField, usernameField } from "edgehelm";
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

/** Making, changing and deleting admins. */
export function adminHandlers(
  { admins, register, tokens, deletions }: Deps,
): Pick<Handlers<typeof AdminService>, AdminOperations> {
  return {
    async createAdmin({ username, password, fullname, modulesJSON, isSuper, canLogin }, call) {
      const name = usernameField("username", username);
      jsonListField("modulesJSON", modulesJSON, AdminModuleSchema);
      const admin = { username: name, fullname: textField("fullname", fullname), modulesJSON, isSuper, canLogin };
      const hashed = canLogin || password !== "" ? await register.requireHash(call, name, password) : NO_PASSWORD;
      return { adminId: await call.transact((inner) => register.insert(inner, { ...admin, ...hashed })) };
    },

    async updateAdmin({ adminId, username, password, fullname, modulesJSON, isSuper, isOn, canLogin }, call) {
      const id = idField("adminId", adminId);
      const name = usernameField("username", username);
      const modules = jsonListField("modulesJSON", modulesJSON, AdminModuleSchema);
      const hashed = await register.hash(call, name, password);
      await call.transact(async (inner) => {
        const admin = await register.require(inner, id);
        if (!isOn || !isSuper) await register.requireOtherSuper(inner, admin);
        await register.rename(inner, admin, name);
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
      const { id } = await register.require(call, idField("adminId", adminId));
      await admins.setFullname.run(call, { id, fullname: textField("fullname", fullname) });
      return {};
    },

    async updateAdminTheme({ adminId, theme }, call) {
      const { id } = await register.require(call, idField("adminId", adminId));
      await admins.setTheme.run(call, { id, theme: textField("theme", theme, { max: 64 }) });
      return {};
    },

    async updateAdminLang({ langCode }, call) {
      const { id } = await register.require(call, callerId(call.caller));
      await admins.setLang.run(call, { id, lang: textField("langCode", langCode, { max: 35 }) });
      return {};
    },

    async deleteAdmin({ adminId }, call) {
      const admin = await register.require(call, idField("adminId", adminId));
      await register.remove(call, admin, deletions);
      return {};
    },
  };
}
