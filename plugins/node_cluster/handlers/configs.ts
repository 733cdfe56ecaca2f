import { create } from "@bufbuild/protobuf";
import { type Call, choiceField, type Handlers, jsonBytes, jsonField } from "edgehelm";
import { type ConfigColumn, ddosProtectionField, DEFAULTS, globalServerConfigField } from "../configs.ts";
import type { NodeClusterService } from "../proto/service_node_cluster_pb.ts";
import { ClusterSystemdServiceSchema, ClusterSystemServicesSchema } from "../proto/shapes_pb.ts";
import type { Deps } from "./deps.ts";

type ConfigOperations = Extract<
  keyof Handlers<typeof NodeClusterService>,
  `${"find" | "update"}NodeCluster${"SystemService" | "DDoSProtection" | "GlobalServerConfig"}`
>;

/** Implements the operations on the JSON settings of a cluster. Empty JSON leaves the stored settings unchanged. */
export function configHandlers(
  { clusters, changes }: Deps,
): Pick<Handlers<typeof NodeClusterService>, ConfigOperations> {
  async function find(call: Call, id: bigint, column: ConfigColumn): Promise<Uint8Array> {
    const row = await clusters.byId.first(call, { id });
    return row === undefined ? new Uint8Array() : row[column] ?? DEFAULTS[column];
  }

  async function update(call: Call, nodeClusterId: bigint, column: ConfigColumn, json: Uint8Array | null) {
    const { id } = await clusters.require(call, "nodeClusterId", nodeClusterId);
    if (json !== null) await changes.setConfig[column].run(call, { id, json });
    return {};
  }

  return {
    async findNodeClusterDDoSProtection({ nodeClusterId }, call) {
      return { ddosProtectionJSON: await find(call, nodeClusterId, "ddosProtectionJSON") };
    },
    updateNodeClusterDDoSProtection: ({ nodeClusterId, ddosProtectionJSON: json }, call) =>
      update(call, nodeClusterId, "ddosProtectionJSON", ddosProtectionField("ddosProtectionJSON", json)),

    async findNodeClusterGlobalServerConfig({ nodeClusterId }, call) {
      return { globalServerConfigJSON: await find(call, nodeClusterId, "globalServerConfigJSON") };
    },
    updateNodeClusterGlobalServerConfig: ({ nodeClusterId, globalServerConfigJSON: json }, call) =>
      update(call, nodeClusterId, "globalServerConfigJSON", globalServerConfigField("globalServerConfigJSON", json)),

    async findNodeClusterSystemService({ nodeClusterId, type }, call) {
      choiceField("type", type, ["systemd"]);
      const stored = await find(call, nodeClusterId, "systemServicesJSON");
      const service = jsonField("systemServicesJSON", stored, ClusterSystemServicesSchema)?.systemd;
      return {
        paramsJSON: service === undefined ? stored.subarray(0, 0) : jsonBytes(ClusterSystemdServiceSchema, service),
      };
    },
    async updateNodeClusterSystemService({ nodeClusterId, type, paramsJSON }, call) {
      choiceField("type", type, ["systemd"]);
      const systemd = jsonField("paramsJSON", paramsJSON, ClusterSystemdServiceSchema);
      const services = systemd &&
        jsonBytes(ClusterSystemServicesSchema, create(ClusterSystemServicesSchema, { systemd }));
      return await update(call, nodeClusterId, "systemServicesJSON", services ?? null);
    },
  };
}
