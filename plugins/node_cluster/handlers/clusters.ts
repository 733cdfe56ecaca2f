import { type Call, type Handlers, idField, invalid, numberField, textField, unixSeconds } from "edgehelm";
import { absolutePathField, idOrNoneField, timeZoneField } from "edgehelm/fields";
import { refuseWhenUsed } from "edgehelm/rows";
import { clockField, globalServerConfigField, sshParamsField, systemServicesField } from "../configs.ts";
import { errors } from "../errors.ts";
import { dnsNameField } from "../rules.ts";
import type {
  CreateNodeClusterRequest,
  NodeClusterService,
  UpdateNodeClusterRequest,
} from "../proto/service_node_cluster_pb.ts";
import type { ClusterSettings } from "../store_changes.ts";
import type { Deps } from "./deps.ts";
import { requirePolicy } from "./policies.ts";

type ClusterOperations = "createNodeCluster" | "updateNodeCluster" | "deleteNodeCluster" | "updateNodeClusterPinned";

/** Implements the operations that create, change and delete clusters. */
export function clusterHandlers(deps: Deps): Pick<Handlers<typeof NodeClusterService>, ClusterOperations> {
  const { clusters, changes, grants, access, clock, uses, deletions } = deps;

  async function requireGrant(call: Call, nodeGrantId: bigint): Promise<void> {
    if (idOrNoneField("nodeGrantId", nodeGrantId) === 0n) return;
    if (grants === undefined) throw invalid("nodeGrantId", `grant ${nodeGrantId} does not exist`);
    await grants.requireGrant(call, "nodeGrantId", nodeGrantId);
  }

  return {
    async createNodeCluster(request, call) {
      if (request.dnsDomainId !== 0n) throw errors.dns_domain_missing(request.dnsDomainId);
      const cluster = {
        ...settings(request),
        uniqueId: crypto.randomUUID().replaceAll("-", ""),
        createdAt: unixSeconds(clock),
        dnsName: dnsNameField("dnsName", request.dnsName),
        dnsTTL: numberField("dnsTTL", request.dnsTTL),
        httpCachePolicyId: request.httpCachePolicyId,
        httpFirewallPolicyId: request.httpFirewallPolicyId,
        globalServerConfigJSON: globalServerConfigField("globalServerConfigJSON", request.globalServerConfigJSON),
        systemServicesJSON: systemServicesField("systemServicesJSON", request.systemServicesJSON),
        openToJSON: await access.checked(call, request.openToJSON),
      };
      await requireGrant(call, cluster.nodeGrantId);
      await requirePolicy(deps, call, "httpCachePolicyId", cluster.httpCachePolicyId);
      await requirePolicy(deps, call, "httpFirewallPolicyId", cluster.httpFirewallPolicyId);
      if (await clusters.byDNSName.first(call, cluster) !== undefined) throw errors.dns_name_taken(cluster.dnsName);
      const { id } = await changes.insert.one(call, cluster);
      return { nodeClusterId: id };
    },

    async updateNodeCluster(request, call) {
      const cluster = {
        ...settings(request),
        id: idField("nodeClusterId", request.nodeClusterId),
        timeZone: timeZoneField("timeZone", request.timeZone),
        nodeMaxThreads: numberField("nodeMaxThreads", request.nodeMaxThreads),
        autoOpenPorts: request.autoOpenPorts,
        autoRemoteStart: request.autoRemoteStart,
        clockJSON: clockField("clockJSON", request.clockJSON),
        sshParamsJSON: sshParamsField("sshParamsJSON", request.sshParamsJSON),
        openToJSON: await access.checked(call, request.openToJSON),
      };
      await requireGrant(call, cluster.nodeGrantId);
      if (await changes.update.run(call, cluster) === 0n) throw errors.not_found(cluster.id);
      return {};
    },

    async deleteNodeCluster({ nodeClusterId }, call) {
      const { id } = await clusters.require(call, "nodeClusterId", nodeClusterId);
      await refuseWhenUsed(call, id, uses, (references) => errors.in_use(id, references));
      await changes.remove.run(call, { id });
      for (const deletion of deletions) await deletion.deleted(call, id);
      return {};
    },

    async updateNodeClusterPinned({ nodeClusterId, isPinned }, call) {
      const id = idField("nodeClusterId", nodeClusterId);
      if (await changes.setPinned.run(call, { id, isPinned }) === 0n) throw errors.not_found(id);
      return {};
    },
  };
}

function settings(request: CreateNodeClusterRequest | UpdateNodeClusterRequest): ClusterSettings {
  return {
    name: textField("name", request.name, { min: 1 }),
    nodeGrantId: request.nodeGrantId,
    installDir: absolutePathField("installDir", request.installDir),
    autoInstallNftables: request.autoInstallNftables,
    autoSystemTuning: request.autoSystemTuning,
    autoTrimDisks: request.autoTrimDisks,
    maxConcurrentReads: numberField("maxConcurrentReads", request.maxConcurrentReads),
    maxConcurrentWrites: numberField("maxConcurrentWrites", request.maxConcurrentWrites),
  };
}
