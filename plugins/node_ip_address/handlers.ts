import {
  type Call,
  choiceField,
  type Handlers,
  idField,
  invalid,
  listField,
  numberField,
  pageOf,
  textField,
} from "edgehelm";
import { idOrNoneField, ipAddressField } from "edgehelm/fields";
import { containing } from "edgehelm/storage";
import type { Nodes } from "../node/contract.ts";
import type { NodeClusters } from "../node_cluster/contract.ts";
import { addressMessages, edgeNodes } from "./addresses.ts";
import type { AddressedNodes } from "./contract.ts";
import { errors } from "./errors.ts";
import type { NodeIPAddressService } from "./proto/service_node_ip_address_pb.ts";
import type { Filter, NewAddress, NodeIPAddressStore, NodeRef } from "./store.ts";

/** The dependencies of the handlers. */
export interface Deps {
  readonly addresses: NodeIPAddressStore;
  readonly nodes: Nodes;
  readonly clusters: NodeClusters;
  /** The nodes of roles other than `node`. */
  readonly otherNodes: readonly AddressedNodes[];
}

const MAX_CLUSTERS = 100;

/** Implements every operation of the service. */
export function nodeIPAddressHandlers(
  { addresses, nodes, clusters, otherNodes }: Deps,
): Handlers<typeof NodeIPAddressService> {
  const nodesByRole = () => [edgeNodes(nodes), ...otherNodes];

  function roleField(role: string): string {
    return choiceField("role", role === "" ? "node" : role, nodesByRole().map((entry) => entry.role));
  }

  async function findNode(call: Call, { role, nodeId }: NodeRef) {
    const nodesOfRole = nodesByRole().find((entry) => entry.role === role);
    const node = await nodesOfRole?.find(call, idField("nodeId", nodeId));
    if (node === undefined) throw errors.node_missing(role, nodeId);
    return { isOn: node.isOn, nodeClusterId: node.nodeClusterId };
  }

  async function clusterIdsField(call: Call, field: string, values: readonly bigint[]): Promise<string> {
    const ids = listField(field, values, idField, { max: MAX_CLUSTERS });
    const existing = await clusters.summaries(call, ids);
    for (const [index, id] of ids.entries()) {
      if (!existing.has(id)) throw invalid(`${field}[${index}]`, `node cluster ${id} does not exist`);
    }
    return `[${[...new Set(ids)].join(",")}]`;
  }

  /** Only the configuration of edge nodes contains addresses. */
  async function markConfigChanged(call: Call, ...refs: readonly NodeRef[]): Promise<void> {
    const ids = refs.filter(({ role }) => role === "node").map(({ nodeId }) => nodeId);
    await nodes.configChanged(call, [...new Set(ids)]);
  }

  async function insert(call: Call, address: NewAddress): Promise<bigint> {
    const created = await addresses.insert.first(call, address);
    if (created === undefined) throw errors.taken(address.ip, address.role, address.nodeId);
    return created.id;
  }

  /** Checks the fields that all new addresses of a request share. */
  async function newAddress(
    call: Call,
    request: { nodeId: bigint; role: string; name: string; canAccess: boolean; isUp: boolean },
    nodeClusterIds: readonly bigint[],
  ): Promise<Omit<NewAddress, "ip" | "description">> {
    const ref = { nodeId: request.nodeId, role: roleField(request.role) };
    const { isOn, nodeClusterId } = await findNode(call, ref);
    return {
      ...ref,
      nodeIsOn: isOn,
      nodeClusterId,
      name: textField("name", request.name),
      canAccess: request.canAccess,
      isUp: request.isUp,
      clusterIds: await clusterIdsField(call, "nodeClusterIds", nodeClusterIds),
    };
  }

  function filterOf(request: { nodeClusterId: bigint; role: string; upState: number; keyword: string }): Filter {
    const { nodeClusterId, role, upState } = request;
    const keyword = request.keyword.trim();
    return {
      nodeClusterId: idOrNoneField("nodeClusterId", nodeClusterId),
      role: role === "" ? "" : roleField(role),
      upState: numberField("upState", upState, { max: 2 }),
      pattern: keyword === "" ? "" : containing(keyword),
    };
  }

  return {
    async createNodeIPAddress({ ip, nodeClusterIds, ...request }, call) {
      const address = await newAddress(call, request, nodeClusterIds);
      const id = await insert(call, { ...address, ip: ipAddressField("ip", ip), description: "" });
      await markConfigChanged(call, address);
      return { nodeIPAddressId: id };
    },

    async createNodeIPAddresses({ ipList, nodeClusterIds, groupValue, ...request }, call) {
      const address = await newAddress(call, request, nodeClusterIds);
      const description = textField("groupValue", groupValue);
      const ips = listField("ipList", ipList, ipAddressField);
      if (ips.length === 0) throw invalid("ipList", "must not be empty");
      const nodeIPAddressIds: bigint[] = [];
      for (const ip of ips) nodeIPAddressIds.push(await insert(call, { ...address, ip, description }));
      await markConfigChanged(call, address);
      return { nodeIPAddressIds };
    },

    async updateNodeIPAddress(request, call) {
      const row = await addresses.require(call, "nodeIPAddressId", request.nodeIPAddressId);
      const ip = ipAddressField("ip", request.ip);
      const same = await addresses.sameOnNode.first(call, { ...row, ip });
      if (same !== undefined && same.id !== row.id) throw errors.taken(ip, row.role, row.nodeId);
      await addresses.update.run(call, {
        id: row.id,
        name: textField("name", request.name),
        ip,
        canAccess: request.canAccess,
        isOn: request.isOn,
        isUp: request.isUp,
        clusterIds: await clusterIdsField(call, "clusterIds", request.clusterIds),
      });
      await markConfigChanged(call, row);
      return {};
    },

    async updateNodeIPAddressNodeId({ nodeIPAddressId, nodeId }, call) {
      const row = await addresses.require(call, "nodeIPAddressId", nodeIPAddressId);
      const target = { role: row.role, nodeId };
      const node = await findNode(call, target);
      const same = await addresses.sameOnNode.first(call, { ...target, ip: row.ip });
      if (same !== undefined && same.id !== row.id) throw errors.taken(row.ip, row.role, nodeId);
      await addresses.setNode.run(call, { id: row.id, nodeId, ...node });
      await markConfigChanged(call, row, target);
      return {};
    },

    async updateNodeIPAddressIsUp({ nodeIPAddressId, isUp }, call) {
      const row = await addresses.require(call, "nodeIPAddressId", nodeIPAddressId);
      await addresses.setUp.run(call, { id: row.id, isUp });
      await markConfigChanged(call, row);
      return {};
    },

    async disableNodeIPAddress({ nodeIPAddressId }, call) {
      const row = await addresses.require(call, "nodeIPAddressId", nodeIPAddressId);
      await addresses.remove.run(call, { id: row.id });
      await markConfigChanged(call, row);
      return {};
    },

    async disableAllNodeIPAddressesWithNodeId({ nodeId, role }, call) {
      const ref = { nodeId, role: roleField(role) };
      await findNode(call, ref);
      await addresses.softDeleteOfNode.run(call, ref);
      await markConfigChanged(call, ref);
      return {};
    },

    async findEnabledNodeIPAddress({ nodeIPAddressId }, call) {
      const row = await addresses.byId.first(call, { id: nodeIPAddressId });
      if (row === undefined) return {};
      const [nodeIPAddress] = await addressMessages(call, clusters, [row]);
      return { nodeIPAddress: nodeIPAddress! };
    },

    async findAllEnabledNodeIPAddressesWithNodeId({ nodeId, role }, call) {
      const rows = await addresses.ofNode.all(call, { nodeId, role: roleField(role) });
      return { nodeIPAddresses: await addressMessages(call, clusters, rows) };
    },

    async countAllEnabledNodeIPAddresses(request, call) {
      const filter = filterOf(request);
      if (isEmpty(filter)) return await addresses.count.one(call, {});
      return { count: (await addresses.countMatching.scan(call, filter))[0]!.count };
    },

    async listEnabledNodeIPAddresses(request, call) {
      const page = pageOf(request);
      const filter = filterOf(request);
      const rows = isEmpty(filter)
        ? await addresses.page.all(call, page)
        : await addresses.pageMatching.scan(call, { ...filter, ...page });
      return { nodeIPAddresses: await addressMessages(call, clusters, rows) };
    },
  };
}

function isEmpty({ nodeClusterId, role, upState, pattern }: Filter): boolean {
  return nodeClusterId === 0n && role === "" && upState === 0 && pattern === "";
}
