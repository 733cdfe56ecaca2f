import { type Call, callerId, type CredentialSource, type SealedSecrets } from "edgehelm";
import type { NSNodes } from "./contract.ts";
import { errors } from "./errors.ts";
import type { NSNodeRow, NSNodeStore } from "./store.ts";

/** Exchanges a node's uniqueId and secret for tokens, as long as the node is there and on. */
export function nodeSource(nodes: NSNodeStore, secrets: SealedSecrets): CredentialSource {
  return {
    name: "ns_node",
    roles: ["dns"],
    async verify(call, _role, uniqueId, secret) {
      const node = await nodes.byUniqueId.first(call, { uniqueId });
      const matches = await secrets.matches(uniqueId, node?.secret, secret);
      return matches && node?.isOn === 1n ? { subjectId: node.id, keyId: node.id } : undefined;
    },
    async isLive(call, _role, { subjectId }) {
      return (await nodes.byId.first(call, { id: subjectId }))?.isOn === 1n;
    },
  };
}

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
