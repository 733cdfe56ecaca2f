import { type Handlers, idField } from "edgehelm";
import { requireSelfOrSuper } from "edgehelm/auth";
import { ipAddressField, usernameField } from "edgehelm/fields";
import type { AdminService } from "../proto/service_admin_pb.ts";
import type { Deps } from "./deps.ts";

// One message for every cause, so that usernames cannot be probed.
const LOGIN_FAILED = "the username or the password is wrong, or the admin may not log in";

type LoginOperations =
  | "loginAdmin"
  | "checkAdminExists"
  | "checkAdminUsername"
  | "checkAdminOTPWithUsername"
  | "updateAdminLogin"
  | "createOrUpdateAdmin";

/** Handles the operations that consoles call at login. */
export function loginHandlers(
  { registry, factors, addresses }: Deps,
): Pick<Handlers<typeof AdminService>, LoginOperations> {
  return {
    async loginAdmin({ username, password, ip }, call) {
      const address = ip === "" ? "" : ipAddressField("ip", ip);
      const adminId = await registry.checkPassword(call, username.trim(), password, address);
      if (adminId === undefined) return { isOk: false, message: LOGIN_FAILED };
      const owner = { role: "admin", subjectId: adminId } as const;
      await call.transact(async (inner) => await addresses?.signedIn(inner, owner, address));
      return { adminId, isOk: true };
    },

    async checkAdminExists({ adminId }, call) {
      if (!await registry.isLive(call, adminId)) return { message: `admin ${adminId} does not exist or is turned off` };
      const isOk = await registry.access(call, adminId) !== undefined;
      return isOk ? { isOk } : { message: `admin ${adminId} may not log in` };
    },

    async checkAdminUsername({ adminId, username }, call) {
      const id = await registry.idOf(call, username.trim());
      return { exists: id !== undefined && id !== adminId };
    },

    async checkAdminOTPWithUsername({ username }, call) {
      const subjectId = await registry.idOf(call, username.trim());
      if (subjectId === undefined) return { requireOTP: false };
      return { requireOTP: (await factors?.state(call, { role: "admin", subjectId }))?.isOn === true };
    },

    async updateAdminLogin({ adminId, username, password }, call) {
      const id = idField("adminId", adminId);
      requireSelfOrSuper(call, id, `change the login of admin ${id}`);
      const name = usernameField("username", username);
      const hashed = await registry.hash(call, name, password);
      await call.transact(async (inner) => {
        await registry.rename(inner, await registry.require(inner, id), name);
        if (hashed !== undefined) await registry.setPassword(inner, id, hashed);
      });
      return {};
    },

    async createOrUpdateAdmin({ username, password }, call) {
      const name = usernameField("username", username);
      const hashed = await registry.requireHash(call, name, password);
      return await call.transact(async (inner) => {
        const id = await registry.idOf(inner, name);
        if (id === undefined) {
          const admin = {
            username: name,
            fullname: name,
            modulesJSON: new Uint8Array(),
            isSuper: true,
            canLogin: true,
          };
          return { adminId: await registry.insert(inner, { ...admin, ...hashed }) };
        }
        await registry.setPassword(inner, id, hashed);
        return { adminId: id };
      });
    },
  };
}
