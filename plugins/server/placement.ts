import { type Call, invalid } from "edgehelm";
import { actsForInstallation } from "./claims.ts";
import { nodesIn } from "./config.ts";
import type { RelatedContracts, Sites } from "./sites.ts";

const CHOSEN_NODES = ["includeNodesJSON", "excludeNodesJSON"] as const;

interface PlacementRequest {
  readonly nodeClusterId: bigint;
  readonly userPlanId: bigint;
  readonly includeNodesJSON: Uint8Array;
  readonly excludeNodesJSON: Uint8Array;
}

/** Decides which cluster serves the sites that users create. */
export class Placement {
  readonly #sites: Sites;
  readonly #related: RelatedContracts;

  constructor(sites: Sites, related: RelatedContracts) {
    this.#sites = sites;
    this.#related = related;
  }

  /**
   * Returns the cluster of a new site. For a user who names none it is the cluster of the plan, or else the user's own;
   * nodes of a cluster are chosen by admins only.
   */
  async clusterFor(call: Call, request: PlacementRequest, userId: bigint): Promise<bigint> {
    const { nodeClusterId, userPlanId } = request;
    if (actsForInstallation(call)) {
      for (const field of CHOSEN_NODES) await this.#requireNodes(call, field, nodesIn(field, request[field]));
      return nodeClusterId;
    }
    for (const field of CHOSEN_NODES) {
      if (nodesIn(field, request[field]).length > 0) throw invalid(field, "must be empty: only admins choose nodes");
    }
    await this.#sites.requireReference(call, "user_plan", "userPlanId", userPlanId, userId);
    const ofPlan = await this.#clusterOfPlan(call, userPlanId);
    if (nodeClusterId === 0n) return ofPlan || (await this.#related.users?.nodeClusterOf(call, userId) ?? 0n);
    if (ofPlan !== 0n && nodeClusterId !== ofPlan) {
      throw invalid("nodeClusterId", `must be 0 or ${ofPlan}, the cluster of user plan ${userPlanId}`);
    }
    return nodeClusterId;
  }

  /** Refuses a plan that a user binds to a site of another cluster than the plan's. */
  async requirePlanFor(call: Call, userPlanId: bigint, nodeClusterId: bigint): Promise<void> {
    if (actsForInstallation(call)) return;
    const ofPlan = await this.#clusterOfPlan(call, userPlanId);
    if (ofPlan === 0n || ofPlan === nodeClusterId) return;
    throw invalid("userPlanId", `user plan ${userPlanId} is for sites of cluster ${ofPlan}, not ${nodeClusterId}`);
  }

  async #requireNodes(call: Call, field: string, ids: readonly bigint[]): Promise<void> {
    for (const [index, id] of ids.entries()) {
      await this.#related.nodes?.requireNode(call, `${field}[${index}].nodeId`, id);
    }
  }

  async #clusterOfPlan(call: Call, userPlanId: bigint): Promise<bigint> {
    if (userPlanId === 0n) return 0n;
    const plans = this.#related.resolvers.find(({ kind }) => kind === "user_plan");
    return await plans?.clusterOf?.(call, userPlanId) ?? 0n;
  }
}
