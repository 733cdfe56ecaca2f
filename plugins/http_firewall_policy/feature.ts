import type { ServerFeatureUse } from "../server/contract.ts";
import type { PolicyStore } from "./store.ts";

/** The feature of plans that lets sites have policies of their own. */
export const FIREWALL = "server.waf";

/** Reports the policies of servers, which must be deleted before a server can move to a plan without the feature. */
export function policiesOfServers(store: PolicyStore): ServerFeatureUse {
  return {
    feature: FIREWALL,
    async obstacles(call, serverIds) {
      const rows = await Promise.all(serverIds.map((serverId) => store.ofServer.all(call, { serverId })));
      return rows.flat().map(({ serverId, name }) => ({ serverId, text: `delete the firewall policy "${name}"` }));
    },
  };
}
