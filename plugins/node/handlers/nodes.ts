import { type Call, type Handlers, idField, invalid, listField, numberField, textField, unixSeconds } from "edgehelm";
import { newAccessKeySecret } from "edgehelm/auth";
import { idOrNoneField, noneField } from "edgehelm/fields";
import { nodeLoginField } from "../../node_base/contract.ts";
import { errors } from "../errors.ts";
import { latestVersion, secondaryClusters } from "../messages.ts";
import { secondaryClustersField } from "../rules.ts";
import type { NodeService } from "../proto/service_node_pb.ts";
import type { NodeRow } from "../store_tables.ts";
import type { Deps } from "./deps.ts";

type NodeOperations =
  | "createNode"
  | "updateNode"
  | "updateNodeIsOn"
  | "deleteNode"
  | "deleteNodeFromNodeCluster"
  | "updateNodeLogin"
  | "updateNodeRegionInfo";

/** Implements the operations that create, change and delete nodes. */
export function nodeHandlers(deps: Deps): Pick<Handlers<typeof NodeService>, NodeOperations> {
  const { nodes, changes, secrets, clusters, regions, grants, tokens, deletions, listeners, installer, clock } = deps;

  async function requireRegion(call: Call, nodeRegionId: bigint): Promise<void> {
    if (idOrNoneField("nodeRegionId", nodeRegionId) === 0n) return;
    if (regions === undefined) throw invalid("nodeRegionId", `region ${nodeRegionId} does not exist`);
    await regions.requireRegion(call, "nodeRegionId", nodeRegionId);
  }

  async function requireGrant(call: Call, grantId: bigint): Promise<void> {
    if (grantId === 0n) return;
    if (grants === undefined) throw invalid("nodeLogin.params.grantId", `grant ${grantId} does not exist`);
    await grants.requireGrant(call, "nodeLogin.params.grantId", grantId);
  }

  /**
   * Returns the version to store for a node that moves to other clusters. It makes up for the difference between their
   * versions, so that the sum, which the node compares, increases by one.
   */
  async function nextVersion(call: Call, row: NodeRow, clusterIds: readonly bigint[]): Promise<bigint> {
    const secondary = (await secondaryClusters(call, nodes, [row.id])).get(row.id) ?? [];
    const previousIds = [row.nodeClusterId, ...secondary];
    const versions = await clusters.configVersions(call, [...new Set([...previousIds, ...clusterIds])]);
    const current = latestVersion(row, previousIds, versions);
    return current + 1n - latestVersion({ ...row, configVersion: 0n }, clusterIds, versions);
  }

  async function setSecondaryClusters(call: Call, nodeId: bigint, clusterIds: readonly bigint[]): Promise<void> {
    await changes.deleteSecondaryClusters.defer(call, { nodeId });
    for (const [position, nodeClusterId] of clusterIds.entries()) {
      await changes.addSecondaryCluster.defer(call, { nodeId, nodeClusterId, position });
    }
  }

  async function softDelete(call: Call, { id }: NodeRow): Promise<void> {
    await changes.remove.run(call, { id });
    await changes.deleteSecondaryClusters.defer(call, { nodeId: id });
    await changes.deleteLogin.run(call, { nodeId: id });
    await installer?.forget(call, id);
    for (const deletion of deletions) await deletion.deleted(call, id);
    await tokens.end(call, { role: "node", subjectId: id });
  }

  async function notifyListeners(call: Call, id: bigint): Promise<void> {
    for (const row of await nodes.summaries.all(call, { ids: [id] })) {
      for (const listener of listeners) await listener.changed(call, { ...row, isOn: row.isOn === 1n });
    }
  }

  return {
    async createNode(request, call) {
      requireNoGroup(request.nodeGroupId);
      noneField("dnsDomainId", request.dnsDomainId);
      const loginId = request.nodeLogin?.id ?? 0n;
      if (loginId !== 0n) throw invalid("nodeLogin.id", `login ${loginId} does not exist on this node`);
      const login = request.nodeLogin && nodeLoginField("nodeLogin", request.nodeLogin);
      const uniqueId = crypto.randomUUID().replaceAll("-", "");
      const node = {
        uniqueId,
        name: textField("name", request.name, { min: 1 }),
        createdAt: unixSeconds(clock),
        nodeClusterId: idField("nodeClusterId", request.nodeClusterId),
        nodeRegionId: request.nodeRegionId,
        dnsRoutes: JSON.stringify(listField("dnsRoutes", request.dnsRoutes, textField, { max: 100 })),
        secret: await secrets.seal(uniqueId, newAccessKeySecret()),
      };
      return await call.transact(async (inner) => {
        await clusters.requireCluster(inner, "nodeClusterId", node.nodeClusterId);
        await requireRegion(inner, node.nodeRegionId);
        if (login !== undefined) await requireGrant(inner, login.grantId);
        const { id } = await changes.insert.one(inner, node);
        if (login !== undefined) await changes.setLogin.run(inner, { nodeId: id, ...login });
        return { nodeId: id };
      });
    },

    async updateNode(request, call) {
      requireNoGroup(request.nodeGroupId);
      const nodeClusterId = idField("nodeClusterId", request.nodeClusterId);
      const secondary = secondaryClustersField(
        "secondaryNodeClusterIds",
        request.secondaryNodeClusterIds,
        nodeClusterId,
      );
      const settings = {
        name: textField("name", request.name, { min: 1 }),
        isOn: request.isOn,
        nodeClusterId,
        nodeRegionId: request.nodeRegionId,
        level: numberField("level", request.level || 1, { min: 1, max: 9 }),
        lnAddrs: JSON.stringify(listField("lnAddrs", request.lnAddrs, textField, { max: 100 })),
        enableIPLists: request.enableIPLists,
      };
      const row = await nodes.require(call, "nodeId", request.nodeId);
      await clusters.requireCluster(call, "nodeClusterId", nodeClusterId);
      for (const [index, id] of secondary.entries()) {
        await clusters.requireCluster(call, `secondaryNodeClusterIds[${index}]`, id);
      }
      await requireRegion(call, settings.nodeRegionId);
      const configVersion = await nextVersion(call, row, [nodeClusterId, ...secondary]);
      await changes.update.run(call, { id: row.id, ...settings, configVersion });
      await setSecondaryClusters(call, row.id, secondary);
      await notifyListeners(call, row.id);
      if (!settings.isOn) await tokens.end(call, { role: "node", subjectId: row.id });
      return {};
    },

    async updateNodeIsOn({ nodeId, isOn }, call) {
      const { id } = await nodes.require(call, "nodeId", nodeId);
      await changes.setIsOn.run(call, { id, isOn });
      await notifyListeners(call, id);
      if (!isOn) await tokens.end(call, { role: "node", subjectId: id });
      return {};
    },

    async deleteNode({ nodeId }, call) {
      await softDelete(call, await nodes.require(call, "nodeId", nodeId));
      return {};
    },

    async deleteNodeFromNodeCluster({ nodeId, nodeClusterId }, call) {
      const row = await nodes.require(call, "nodeId", nodeId);
      const secondary = (await secondaryClusters(call, nodes, [row.id])).get(row.id) ?? [];
      const remaining = [row.nodeClusterId, ...secondary].filter((id) => id !== nodeClusterId);
      if (remaining.length > secondary.length) throw errors.not_in_cluster(row.id, nodeClusterId);
      const [first, ...rest] = remaining;
      if (first === undefined) await softDelete(call, row);
      else {
        const configVersion = await nextVersion(call, row, remaining);
        await changes.setCluster.run(call, { id: row.id, nodeClusterId: first, configVersion });
        await setSecondaryClusters(call, row.id, rest);
        await notifyListeners(call, row.id);
      }
      return {};
    },

    async updateNodeLogin({ nodeId, nodeLogin }, call) {
      const { id } = await nodes.require(call, "nodeId", nodeId);
      if (nodeLogin === undefined) {
        await changes.deleteLogin.run(call, { nodeId: id });
        return {};
      }
      const login = nodeLoginField("nodeLogin", nodeLogin);
      if (nodeLogin.id > 0n && (await nodes.loginOf.first(call, { nodeId: id }))?.id !== nodeLogin.id) {
        throw errors.login_missing(nodeLogin.id, id);
      }
      await requireGrant(call, login.grantId);
      await changes.setLogin.run(call, { nodeId: id, ...login });
      return {};
    },

    async updateNodeRegionInfo({ nodeId, nodeRegionId }, call) {
      const { id } = await nodes.require(call, "nodeId", nodeId);
      await requireRegion(call, nodeRegionId);
      await changes.setRegion.run(call, { id, nodeRegionId });
      await notifyListeners(call, id);
      return {};
    },
  };
}

function requireNoGroup(nodeGroupId: bigint): void {
  if (nodeGroupId !== 0n) throw invalid("nodeGroupId", `node group ${nodeGroupId} does not exist`);
}
