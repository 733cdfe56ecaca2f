import { type Call, jsonBytes, jsonField, unixSeconds } from "edgehelm";
import { type DDoSProtection, DDoSProtectionSchema } from "edgehelm/proto/shapes/ddos_protection_pb.js";
import { apiAddressesJSON, connectedIdsField, ddosProtectionRule } from "../../node_base/contract.ts";
import { callingNode } from "../callers.ts";
import { statusField } from "../rules.ts";
import type { NSNodeRow } from "../store.ts";
import type { Deps, Operations } from "./deps.ts";

type ConfigOperations =
  | "updateNSNodeStatus"
  | "findCurrentNSNodeConfig"
  | "updateNSNodeConnectedAPINodes"
  | "findNSNodeDDoSProtection"
  | "updateNSNodeDDoSProtection"
  | "findNSNodeAPIConfig"
  | "updateNSNodeAPIConfig";

const EMPTY = new Uint8Array();

/** Implements the operations on the configuration of nodes and those with which nodes report. */
export function configHandlers(deps: Deps): Pick<Operations, ConfigOperations> {
  const { nodes, clusters, secrets, presence, clock } = deps;

  /** Returns the requested node. A calling node can see only itself, and may omit the id. */
  async function visibleNode(call: Call, id: bigint): Promise<NSNodeRow | undefined> {
    if (call.caller.role !== "dns") return await nodes.byId.first(call, { id });
    const node = await callingNode(nodes, call);
    return id === 0n || id === node.id ? node : undefined;
  }

  return {
    async updateNSNodeStatus({ statusJSON }, call) {
      const node = await callingNode(nodes, call);
      const status = statusField("statusJSON", statusJSON, unixSeconds(clock));
      await nodes.setStatus.run(call, {
        id: node.id,
        ...status,
        statusIsActive: status.isActive,
        isUp: status.isActive,
      });
      if (status.isActive) await presence.cameOnline(call, node);
      return {};
    },

    async findCurrentNSNodeConfig(_request, call) {
      const node = await callingNode(nodes, call);
      const cluster = await clusters.nodeConfig(call, node.nsClusterId);
      if (cluster === undefined) return {};
      const config = {
        id: Number(node.id),
        nodeId: node.uniqueId,
        secret: await secrets.open(node.uniqueId, node.secret),
        clusterId: Number(node.nsClusterId),
        isOn: node.isOn === 1n,
        version: Number(node.configVersion + cluster.configVersion),
        hosts: cluster.hosts,
        email: cluster.email,
        timeZone: cluster.timeZone,
        detectAgents: cluster.detectAgents,
        allowedIPs: [],
        accessLogRef: parsed(cluster.accessLogJSON),
        recursionConfig: parsed(cluster.recursionJSON),
        ddosProtection: parsed(effectiveProtection(cluster.ddosProtectionJSON, node.ddosProtectionJSON)),
        tcp: parsed(cluster.tcpJSON),
        tls: parsed(cluster.tlsJSON),
        udp: parsed(cluster.udpJSON),
        doh: parsed(cluster.dohJSON),
        answer: parsed(cluster.answerJSON),
        soa: parsed(cluster.soaJSON),
        apiNodeAddrs: node.apiNodeAddrsJSON === null ? [] : parsed(node.apiNodeAddrsJSON),
      };
      return { nsNodeJSON: new TextEncoder().encode(JSON.stringify(config)) };
    },

    async updateNSNodeConnectedAPINodes({ apiNodeIds }, call) {
      const { id } = await callingNode(nodes, call);
      const connectedAPINodeIds = connectedIdsField("apiNodeIds", apiNodeIds);
      await nodes.setConnectedAPINodes.run(call, { id, connectedAPINodeIds });
      return {};
    },

    async findNSNodeDDoSProtection({ nsNodeId }, call) {
      return { ddosProtectionJSON: (await visibleNode(call, nsNodeId))?.ddosProtectionJSON ?? EMPTY };
    },

    async updateNSNodeDDoSProtection({ nsNodeId, ddosProtectionJSON }, call) {
      const { id } = await nodes.require(call, "nsNodeId", nsNodeId);
      const protection = jsonField("ddosProtectionJSON", ddosProtectionJSON, DDoSProtectionSchema);
      if (protection === undefined) return {};
      ddosProtectionRule("ddosProtectionJSON", protection);
      await nodes.setDDoSProtection.run(call, { id, ddosProtectionJSON });
      return {};
    },

    async findNSNodeAPIConfig({ nsNodeId }, call) {
      return { apiNodeAddrsJSON: (await visibleNode(call, nsNodeId))?.apiNodeAddrsJSON ?? EMPTY };
    },

    async updateNSNodeAPIConfig({ nsNodeId, apiNodeAddrsJSON }, call) {
      const { id } = await nodes.require(call, "nsNodeId", nsNodeId);
      const hasAny = apiAddressesJSON("apiNodeAddrsJSON", apiNodeAddrsJSON);
      await nodes.setAPINodeAddrs.run(call, { id, apiNodeAddrsJSON: hasAny ? apiNodeAddrsJSON : null });
      return {};
    },
  };
}

/** Returns the settings of the node if they have priority, otherwise those of the cluster. */
function effectiveProtection(ofCluster: Uint8Array, ofNode: Uint8Array | null): Uint8Array {
  const own: DDoSProtection | undefined = jsonField("ddosProtectionJSON", ofNode ?? EMPTY, DDoSProtectionSchema);
  return own?.tcp?.isPrior === true ? jsonBytes(DDoSProtectionSchema, own) : ofCluster;
}

function parsed(json: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(json));
}
