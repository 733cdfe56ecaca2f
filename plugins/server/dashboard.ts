import type { AdminDashboardFigures } from "../admin/contract.ts";
import type { ServerStore } from "./store.ts";

/** Provides the number of sites for the dashboard of admins. */
export function siteFigures(servers: ServerStore): AdminDashboardFigures {
  return { figures: async (call) => ({ countServers: (await servers.countAll.one(call, {})).count }) };
}
