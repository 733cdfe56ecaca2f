import { type Call, callerId } from "edgehelm";
import type { NSNodes } from "./contract.ts";
import { errors } from "./errors.ts";
import type { NSNodeRow, NSNodeStore } from "./store.ts";

/** The node that calls. */
export async function callingNode(nodes: NSNodeStore, call: Call): Promise<NSNodeRow> {
  const id = callerId(call.caller);
  const node = await nodes.byId.first(call, { id });
  // its token can be good for a moment longer than the node
  if (node === undefined) throw errors.not_found(id);
  return node;
}

/** The contract over the store. */
export function nsNodes(nodes: NSNodeStore): NSNodes {
  return {
    followedCluster: async (call) => call.caller.role === "dns" ? (await callingNode(nodes, call)).nsClusterId : 0n,
  };
}
