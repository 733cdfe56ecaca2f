import { callerId, type Handlers, idField, textField } from "edgehelm";
import { requireSelfOrSuper } from "edgehelm/auth";
import { usernameField } from "edgehelm/fields";
import { NO_PASSWORD } from "../admins.ts";
import { modulesField } from "../modules.ts";
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
  { admins, registry, tokens, deletions, modules }: Deps,
): Pick<Handlers<typeof AdminService>, AdminOperations> {
  return {
    async createAdmin({ username, password, fullname, modulesJSON, isSuper, canLogin }, call) {
      const name = usernameField("username", username);
      modulesField(modules, modulesJSON);
      const admin = { username: name, fullname: textField("fullname", fullname), modulesJSON, isSuper, canLogin };
      const hashed = canLogin || password !== "" ? await registry.requireHash(call, name, password) : NO_PASSWORD;
      return { adminId: await call.transact((inner) => registry.insert(inner, { ...admin, ...hashed })) };
    },

    async updateAdmin({ adminId, username, password, fullname, modulesJSON, isSuper, isOn, canLogin }, call) {
      const id = idField("adminId", adminId);
      const name = usernameField("username", username);
      const hashed = await registry.hash(call, name, password);
      await call.transact(async (inner) => {
        const admin = await registry.require(inner, id);
        const keepsModules = modulesField(modules, modulesJSON, admin) === undefined;
        if (!isOn || !isSuper || !canLogin) await registry.requireOtherSuper(inner, admin);
        await registry.rename(inner, admin, name);
        await admins.update.run(inner, {
          id,
          fullname: textField("fullname", fullname),
          modulesJSON: keepsModules ? admin.modulesJSON : modulesJSON,
          isSuper,
          isOn,
          canLogin,
        });
        if (hashed !== undefined) await registry.setPassword(inner, id, hashed);
        await tokens.recheck(inner);
        if (isOn && canLogin) await registry.liftLock(inner, name);
        else await registry.endTokens(inner, id);
      });
      return {};
    },

    async updateAdminInfo({ adminId, fullname }, call) {
      requireSelfOrSuper(call, idField("adminId", adminId), `change the name of admin ${adminId}`);
      const { id } = await registry.require(call, adminId);
      await admins.setFullname.run(call, { id, fullname: textField("fullname", fullname) });
      return {};
    },

    async updateAdminTheme({ adminId, theme }, call) {
      requireSelfOrSuper(call, idField("adminId", adminId), `change the theme of admin ${adminId}`);
      const { id } = await registry.require(call, adminId);
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
