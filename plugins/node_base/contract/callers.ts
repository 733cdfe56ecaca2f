import type { Call } from "edgehelm";

/** A calling node of any role. */
export interface NodeCaller {
  readonly role: "node" | "dns" | "report";
  readonly nodeId: bigint;
}

/**
 * Returns the calling node, or undefined if the caller is not a node.
 *
 * @example
 * ```ts
 * import { nodeCaller } from "../node_base/contract.ts";
 *
 * const nodeId = nodeCaller(call)?.nodeId ?? request.nodeId;
 * ```
 */
export function nodeCaller({ caller }: Call): NodeCaller | undefined {
  const { role } = caller;
  return role === "node" || role === "dns" || role === "report" ? { role, nodeId: caller.nodeId } : undefined;
}
