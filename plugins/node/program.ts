import type { SealedSecrets } from "edgehelm/auth";
import type { NodeClusters } from "../node_cluster/contract.ts";
import type { NodeProgram } from "../node_installation/contract.ts";
import type { NodeStore } from "./store.ts";
import type { NodeChanges } from "./store_changes.ts";

/** The stores and plugins that know of nodes and their clusters. */
export interface ProgramDeps {
  readonly nodes: NodeStore;
  readonly changes: NodeChanges;
  readonly secrets: SealedSecrets;
  readonly clusters: NodeClusters;
}

/** Describes the program of edge nodes to the plugin node_installation. */
export function nodeProgram({ nodes, changes, secrets, clusters }: ProgramDeps): NodeProgram {
  return {
    role: "node",
    module: "node",
    name: "edge-node",
    async find(call, id) {
      const node = await nodes.byId.first(call, { id });
      if (node === undefined) return undefined;
      const login = await nodes.loginOf.first(call, { nodeId: id });
      const cluster = await clusters.configOf(call, node.nodeClusterId);
      const { name, uniqueId, apiNodeAddrsJSON } = node;
      return {
        ...{ name, uniqueId, apiNodeAddrsJSON },
        secret: await secrets.open(uniqueId, node.secret),
        installDir: cluster?.installDir ?? "",
        login: login && {
          host: login.host,
          port: Number(login.port),
          grantId: login.grantId || (cluster?.nodeGrantId ?? 0n),
        },
      };
    },
    installed: async (call, id) => void await changes.markInstalled.run(call, { id }),
  };
}
