import { type Handlers, numberField } from "edgehelm";
import { absolutePathField } from "edgehelm/fields";
import { apiAddressesJSON } from "../../node_base/contract.ts";
import { cacheDirectoriesField, capacityField } from "../rules.ts";
import type { NodeService } from "../proto/service_node_pb.ts";
import type { Deps } from "./deps.ts";

type SettingsOperations =
  | "updateNodeSystem"
  | "updateNodeCache"
  | "updateNodeUp"
  | "findNodeDDoSProtection"
  | "updateNodeDDoSProtection"
  | "findNodeAPIConfig"
  | "updateNodeAPIConfig";

const NO_PROTECTION = new TextEncoder().encode('{"tcp":{"isPrior":false,"isOn":false}}');

/** Implements the operations on the machine of a node: its limits, cache and protection. */
export function settingsHandlers(deps: Deps): Pick<Handlers<typeof NodeService>, SettingsOperations> {
  const { nodes, changes, clusters } = deps;

  return {
    async updateNodeSystem({ nodeId, maxCPU }, call) {
      const { id } = await nodes.require(call, "nodeId", nodeId);
      await changes.setMaxCPU.run(call, { id, maxCPU: numberField("maxCPU", maxCPU) });
      return {};
    },

    async updateNodeCache(request, call) {
      const { id } = await nodes.require(call, "nodeId", request.nodeId);
      await changes.setCache.run(call, {
        id,
        maxCacheDiskCapacity: capacityField("maxCacheDiskCapacity", request.maxCacheDiskCapacity),
        maxCacheMemoryCapacity: capacityField("maxCacheMemoryCapacity", request.maxCacheMemoryCapacity),
        cacheDiskDir: absolutePathField("cacheDiskDir", request.cacheDiskDir),
        cacheDiskSubDirsJSON: cacheDirectoriesField("cacheDiskSubDirsJSON", request.cacheDiskSubDirsJSON),
      });
      return {};
    },

    async updateNodeUp({ nodeId, isUp }, call) {
      const { id } = await nodes.require(call, "nodeId", nodeId);
      await changes.setUp.run(call, { id, isUp });
      return {};
    },

    async findNodeDDoSProtection({ nodeId }, call) {
      const row = await nodes.byId.first(call, { id: nodeId });
      return row === undefined ? {} : { ddosProtectionJSON: row.ddosProtectionJSON ?? NO_PROTECTION };
    },

    async updateNodeDDoSProtection({ nodeId, ddosProtectionJSON }, call) {
      const { id } = await nodes.require(call, "nodeId", nodeId);
      const json = clusters.ddosProtectionField("ddosProtectionJSON", ddosProtectionJSON);
      if (json !== null) await changes.setDDoSProtection.run(call, { id, ddosProtectionJSON: json });
      return {};
    },

    async findNodeAPIConfig({ nodeId }, call) {
      const { apiNodeAddrsJSON } = await nodes.byId.first(call, { id: nodeId }) ?? {};
      return apiNodeAddrsJSON ? { apiNodeAddrsJSON } : {};
    },

    async updateNodeAPIConfig({ nodeId, apiNodeAddrsJSON }, call) {
      const { id } = await nodes.require(call, "nodeId", nodeId);
      const json = apiAddressesJSON("apiNodeAddrsJSON", apiNodeAddrsJSON) ? apiNodeAddrsJSON : null;
      await changes.setAPINodeAddrs.run(call, { id, apiNodeAddrsJSON: json });
      return {};
    },
  };
}
