import { callerId, type Handlers, textField } from "edgehelm";
import { requireModule } from "edgehelm/auth";
import { countRows, findRow, pageRows } from "edgehelm/rows";
import { adminMessage, modulesOf } from "../messages.ts";
import type { AdminService } from "../proto/service_admin_pb.ts";
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
export function findHandlers(
  { admins, dashboard, modules }: Deps,
): Pick<Handlers<typeof AdminService>, FindOperations> {
  const installedJSON = new TextEncoder().encode(JSON.stringify(modules));
  const find = findRow(admins, "adminId", "admin", adminMessage);
  return {
    async findAdminWithUsername({ username }, call) {
      const admin = await admins.byUsername.first(call, { username: username.trim() });
      return { admin: admin && adminMessage(admin) };
    },

    async findAdminFullname({ adminId }, call) {
      return { fullname: (await admins.byId.first(call, { id: adminId }))?.fullname ?? "" };
    },

    findEnabledAdmin(request, call) {
      const { adminId } = request;
      if (adminId !== 0n && adminId !== callerId(call.caller)) requireModule(call, "admin", `read admin ${adminId}`);
      return find(request, call);
    },

    async findAllAdminModules({ withInstalled }, call) {
      const adminModules = (await admins.allOn.all(call, {})).map((admin) => ({
        adminId: admin.id,
        isSuper: admin.isSuper === 1n,
        Modules: modulesOf(admin),
        fullname: admin.fullname,
        theme: admin.theme,
        lang: admin.lang,
      }));
      return { adminModules, ...(withInstalled && { installedJSON }) };
    },

    countAllEnabledAdmins: countRows(admins.list, filterOf),
    listEnabledAdmins: pageRows(admins.list, "admins", adminMessage, filterOf),

    async composeAdminDashboard(_request, call) {
      const figures = await Promise.all(dashboard.map((plugin) => plugin.figures(call)));
      return Object.assign({}, ...figures);
    },
  };
}

function filterOf({ keyword, hasWeakPassword }: { readonly keyword: string; readonly hasWeakPassword: boolean }) {
  return { keyword: textField("keyword", keyword), hasWeakPassword };
}
