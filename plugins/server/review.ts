import { type Call, RpcError } from "edgehelm";
import type { Sites } from "./sites.ts";
import type { ServerStore } from "./store.ts";

/** The number of servers that a run reviews, so that an installation with many of them stops promptly. */
const MAX_REVIEWED = 1000;

/**
 * Returns the job that lets servers take the objects they refer to, which earlier releases left with the installation.
 * What belongs to another owner stays as it is.
 */
export function takeReferences(servers: ServerStore, sites: Sites) {
  return async (call: Call): Promise<void> => {
    for (let reviewed = 0; reviewed < MAX_REVIEWED; reviewed++) {
      const next = await servers.nextReview.first(call, {});
      if (next === undefined) return;
      await review(call, next.serverId);
    }
  };

  async function review(call: Call, id: bigint): Promise<void> {
    try {
      await call.transact(async (inner) => {
        const row = await servers.byId.first(inner, { id });
        if (row !== undefined) await sites.takeReferences(inner, row, row.userId);
        await servers.endReview.run(inner, { id });
      });
    } catch (error) {
      if (!(error instanceof RpcError) || error.kind !== "invalid") throw error;
      call.log.warn("server refers to an object of another owner", { serverId: id, cause: error.message });
      await call.transact((inner) => servers.endReview.run(inner, { id }));
    }
  }
}
