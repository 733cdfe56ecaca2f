import { type Call, callerId, type Clock, unixSeconds } from "edgehelm";
import type { NSNodes } from "./contract.ts";
import { errors } from "./errors.ts";
import { ACTIVE_SECONDS } from "./rules.ts";
import type { NSNodeRow, NSNodeStore } from "./store.ts";

/**
 * Returns the calling node.
 *
 * @throws `ns_node.not_found` if the node was deleted
 */
export async function callingNode(nodes: NSNodeStore, call: Call): Promise<NSNodeRow> {
  const id = callerId(call.caller);
  const node = await nodes.byId.first(call, { id });
  // The token of a deleted node can still be valid for a moment.
  if (node === undefined) throw errors.not_found(id);
  return node;
}

/** Implements the contract `NSNodes`. */
export function nsNodes(nodes: NSNodeStore, clock: Clock): NSNodes {
  return {
    followedCluster: async (call) => call.caller.role === "dns" ? (await callingNode(nodes, call)).nsClusterId : 0n,
    callingNode: (call) => callingNode(nodes, call),
    async activeNodes(call, nsClusterId) {
      const activeSince = unixSeconds(clock) - ACTIVE_SECONDS;
      return (await nodes.activeOfCluster.all(call, { nsClusterId, activeSince })).map(({ id }) => id);
    },
    async names(call, ids) {
      const rows = ids.length === 0 ? [] : await nodes.names.all(call, { ids });
      return new Map(rows.map(({ id, name }) => [id, name]));
    },
  };
}
