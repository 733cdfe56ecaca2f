import { type Call, callerId, type Handlers, textField } from "edgehelm";
import { requireModule } from "edgehelm/auth";
import { countRows, pageRows } from "edgehelm/rows";
import { adminMessage, modulesOf } from "../messages.ts";
import type { AdminService } from "../proto/service_admin_pb.ts";
import type { AdminRow } from "../store.ts";
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
  { admins, factors, dashboard, modules }: Deps,
): Pick<Handlers<typeof AdminService>, FindOperations> {
  const installedJSON = new TextEncoder().encode(JSON.stringify(modules));
  async function withLogin(call: Call, admin: AdminRow) {
    const login = await factors?.state(call, { role: "admin", subjectId: admin.id });
    const otpLogin = login && { ...login, type: "otp", adminId: admin.id };
    return { ...adminMessage(admin), ...(otpLogin && { otpLogin }) };
  }

  return {
    async findAdminWithUsername({ username }, call) {
      const admin = await admins.byUsername.first(call, { username: username.trim() });
      return { admin: admin && await withLogin(call, admin) };
    },

    async findAdminFullname({ adminId }, call) {
      return { fullname: (await admins.byId.first(call, { id: adminId }))?.fullname ?? "" };
    },

    async findEnabledAdmin({ adminId }, call) {
      if (adminId !== 0n && adminId !== callerId(call.caller)) requireModule(call, "admin", `read admin ${adminId}`);
      const admin = await admins.find(call, adminId);
      return { admin: admin && await withLogin(call, admin) };
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
