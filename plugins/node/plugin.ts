import { definePlugin, optional, type Plugin } from "edgehelm";
import { AccessTokens, CredentialSources, sealedSecrets, Secrets } from "edgehelm/auth";
import { AdminDashboard } from "../admin/contract.ts";
import { nodeCredentials, NodeStreams } from "../node_base/contract.ts";
import { NodeClusters, NodeClusterUses } from "../node_cluster/contract.ts";
import { NodeGrants, NodeGrantSuggestions, NodeGrantTargets, NodeGrantUses } from "../node_grant/contract.ts";
import { NodeInstallations } from "../node_installation/contract.ts";
import { NodeRegions, NodeRegionUses } from "../node_region/contract.ts";
import { NodeAddressSources, NodeConfigParts, NodeDeletions, NodeListeners, Nodes } from "./contract.ts";
import { grantSuggestion, nodeFigures, nodesContract, nodeUses } from "./contributions.ts";
import { errors } from "./errors.ts";
import { allHandlers } from "./handlers/all.ts";
import { nodeKind } from "./links.ts";
import { migrations } from "./migrations/mod.ts";
import manifest from "./plugin.json" with { type: "json" };
import { nodeProgram } from "./program.ts";
import { NodeService } from "./proto/service_node_pb.ts";
import { nodeStore } from "./store.ts";
import { nodeChanges } from "./store_changes.ts";
import type { Tables } from "./store_tables.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations,
  sealed: [{ table: "nodes", column: "secret", row: "uniqueId" }],
  requires: {
    clusters: NodeClusters,
    regions: optional(NodeRegions),
    grants: optional(NodeGrants),
    installations: optional(NodeInstallations),
    streams: NodeStreams,
    sealer: Secrets,
    tokens: AccessTokens,
  },
  async setup({ db, clock, deps: { sealer, ...deps }, serve, provide, contribute, contributions }) {
    const tables = db<Tables>();
    const nodes = nodeStore(tables);
    const changes = nodeChanges(tables);
    const secrets = await sealedSecrets(sealer, "nodes", "secret");
    const extensions = {
      deletions: contributions(NodeDeletions),
      listeners: contributions(NodeListeners),
      addressSources: contributions(NodeAddressSources),
      configParts: contributions(NodeConfigParts),
    };
    const links = deps.streams.of(nodeKind(nodes, changes, deps.clusters));
    const installer = deps.installations?.of(nodeProgram({ nodes, changes, secrets, ...deps }));
    serve(NodeService, allHandlers({ nodes, changes, secrets, clock, links, installer, ...deps, ...extensions }));
    const contract = nodesContract(nodes, changes);
    provide(Nodes, contract);
    contribute(CredentialSources, nodeCredentials(manifest.name, "node", nodes, secrets));
    const uses = nodeUses(nodes);
    contribute(NodeClusterUses, uses.clusters);
    contribute(NodeRegionUses, uses.regions);
    contribute(NodeGrantUses, uses.grants);
    contribute(NodeGrantSuggestions, grantSuggestion(nodes));
    contribute(NodeGrantTargets, contract);
    contribute(AdminDashboard, nodeFigures(nodes, clock));
  },
});
export default plugin;
