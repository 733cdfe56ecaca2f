import type { Installation } from "../../installation/installation.ts";

/** The key of a node. */
export interface NodeKey {
  readonly uniqueId: string;
  readonly secret: string;
}

/** Creates a DNS node, and returns its key and id. */
export async function createNode(installation: Installation, nsClusterId: number, name: string) {
  const request = { nodeClusterId: nsClusterId, name };
  const { nsNodeId } = await installation.call<{ nsNodeId: number }>("/NSNodeService/createNSNode", request);
  const { nsNode } = await installation.call<{ nsNode: NodeKey }>("/NSNodeService/findNSNode", { nsNodeId });
  return { nsNodeId, uniqueId: nsNode.uniqueId, secret: nsNode.secret };
}
