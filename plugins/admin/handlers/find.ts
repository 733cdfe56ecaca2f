import { type Handlers, pageOf, textField } from "edgehelm";
import { findRow } from "edgehelm/rows";
import { containing } from "edgehelm/storage";
import { adminMessage, modulesOf } from "../messages.ts";
import type { AdminService } from "../proto/service_admin_pb.ts";
import type { Filter } from "../store.ts";
import type { Deps } from "./deps.ts";

type FindOperations =
  | "findAdminWithUsername"
  | "findAdminFullname"
  | "findEnabledAdmin"
  | "findAllAdminModules"
  | "countAllEnabledAdmins"
  | "listEnabledAdmins"
  | "composeAdminDashboard";

/** Handles the operations that find and list admins. */
export function findHandlers({ admins, dashboard }: Deps): Pick<Handlers<typeof AdminService>, FindOperations> {
  return {
    async findAdminWithUsername({ username }, call) {
      const admin = await admins.byUsername.first(call, { username: username.trim() });
      return admin === undefined ? {} : { admin: adminMessage(admin) };
    },

    async findAdminFullname({ adminId }, call) {
      return { fullname: (await admins.byId.first(call, { id: adminId }))?.fullname ?? "" };
    },

    findEnabledAdmin: findRow(admins, "adminId", "admin", adminMessage),

    async findAllAdminModules(_request, call) {
      const adminModules = (await admins.allOn.all(call, {})).map((admin) => ({
        adminId: admin.id,
        isSuper: admin.isSuper === 1n,
        Modules: modulesOf(admin),
        fullname: admin.fullname,
        theme: admin.theme,
        lang: admin.lang,
      }));
      return { adminModules };
    },

    countAllEnabledAdmins: (request, call) => admins.count.one(call, filterOf(request)),

    async listEnabledAdmins(request, call) {
      const rows = await admins.page.all(call, { ...filterOf(request), ...pageOf(request) });
      return { admins: rows.map(adminMessage) };
    },

    async composeAdminDashboard(_request, call) {
      const figures = await Promise.all(dashboard.map((plugin) => plugin.figures(call)));
      return Object.assign({}, ...figures);
    },
  };
}

function filterOf({ keyword, hasWeakPassword }: { keyword: string; hasWeakPassword: boolean }): Filter {
  return { pattern: containing(textField("keyword", keyword)), weak: hasWeakPassword ? 1n : 0n };
}
