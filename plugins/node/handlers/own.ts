import { callerId, type Handlers, unixSeconds } from "edgehelm";
import { connectedIdsField } from "../../node_base/contract.ts";
import { composeConfig } from "../config.ts";
import { latestVersion, secondaryClusters } from "../messages.ts";
import type { NodeService } from "../proto/service_node_pb.ts";
import { statusField } from "../status.ts";
import type { Deps } from "./deps.ts";

type OwnOperations = "updateNodeStatus" | "updateNodeConnectedAPINodes" | "findCurrentNodeConfig";

/** Implements the operations that nodes call about themselves. */
export function ownHandlers(deps: Deps): Pick<Handlers<typeof NodeService>, OwnOperations> {
  const { nodes, changes, clusters, configParts, presence, clock } = deps;

  return {
    async updateNodeStatus({ statusJSON }, call) {
      const node = await nodes.require(call, "nodeId", callerId(call.caller));
      const statusUpdatedAt = unixSeconds(clock);
      const status = statusField("statusJSON", statusJSON, statusUpdatedAt);
      await changes.setStatus.run(call, { id: node.id, statusUpdatedAt, ...status });
      if (status.isActive) await presence.reported(call, node);
      return {};
    },

    async updateNodeConnectedAPINodes({ apiNodeIds }, call) {
      const { id } = await nodes.require(call, "nodeId", callerId(call.caller));
      const connectedAPINodeIds = connectedIdsField("apiNodeIds", apiNodeIds);
      await changes.setConnectedAPINodes.run(call, { id, connectedAPINodeIds });
      return {};
    },

    async findCurrentNodeConfig(request, call) {
      const node = await nodes.require(call, "nodeId", callerId(call.caller));
      const secondary = (await secondaryClusters(call, nodes, [node.id])).get(node.id) ?? [];
      const clusterIds = [node.nodeClusterId, ...secondary];
      const version = latestVersion(node, clusterIds, await clusters.configVersions(call, clusterIds));
      const timestamp = unixSeconds(clock);
      if (version === request.version) return { isChanged: false, timestamp };
      const configs = await Promise.all(clusterIds.map((id) => clusters.configOf(call, id)));
      const sources = { node, version, clusters: configs.filter((config) => config !== undefined), parts: configParts };
      const nodeJSON = new TextEncoder().encode(await composeConfig(call, sources));
      return { isChanged: true, nodeJSON, dataSize: BigInt(nodeJSON.length), timestamp };
    },
  };
}
