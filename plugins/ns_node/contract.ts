import { type Call, type Contract, defineContract } from "edgehelm";

/** What other plugins may ask of DNS nodes. */
export interface NSNodes {
  /**
   * The cluster whose things the caller may follow: a DNS node's own. 0 for everybody else, who follow everything.
   *
   * @throws unauthenticated for a node that does not exist any more
   */
  followedCluster(call: Call): Promise<bigint>;
}
export const NSNodes: Contract<NSNodes> = defineContract("ns_node");
