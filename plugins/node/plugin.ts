import { AccessTokens, CredentialSources, definePlugin, optional, type Plugin, Secrets } from "edgehelm";
import { AdminDashboard } from "../admin/contract.ts";
import { NodeClusters, NodeClusterUses } from "../node_cluster/contract.ts";
import { NodeGrants, NodeGrantSuggestions, NodeGrantUses } from "../node_grant/contract.ts";
import { NodeRegions, NodeRegionUses } from "../node_region/contract.ts";
import { NodeAddressBooks, NodeConfigParts, NodeDeletions, NodeListeners, Nodes } from "./contract.ts";
import { grantSuggestion, nodeFigures, nodesContract, nodeUses } from "./contributions.ts";
import { findHandlers } from "./handlers/find.ts";
import { nodeHandlers } from "./handlers/nodes.ts";
import { ownHandlers } from "./handlers/own.ts";
import { settingsHandlers } from "./handlers/settings.ts";
import { migrations } from "./migrations/mod.ts";
import manifest from "./plugin.json" with { type: "json" };
import { nodeCredentials, NodeSecrets } from "./secrets.ts";
import { NodeService } from "./service_node_pb.ts";
import { nodeStore } from "./store.ts";
import { nodeChanges } from "./store_changes.ts";
import type { Tables } from "./store_tables.ts";

const plugin: Plugin = definePlugin({
  manifest,
  migrations,
  requires: {
    clusters: NodeClusters,
    regions: optional(NodeRegions),
    grants: optional(NodeGrants),
    sealer: Secrets,
    tokens: AccessTokens,
  },
  async setup({ db, clock, deps: { sealer, ...deps }, serve, provide, contribute, contributions }) {
    const tables = db<Tables>();
    const nodes = nodeStore(tables);
    const changes = nodeChanges(tables);
    const secrets = await NodeSecrets.create(sealer);
    const extensions = {
      deletions: contributions(NodeDeletions),
      listeners: contributions(NodeListeners),
      addressBooks: contributions(NodeAddressBooks),
      configParts: contributions(NodeConfigParts),
    };
    const parts = { nodes, changes, secrets, clock, ...deps, ...extensions };
    serve(NodeService, {
      ...nodeHandlers(parts),
      ...findHandlers(parts),
      ...settingsHandlers(parts),
      ...ownHandlers(parts),
    });
    provide(Nodes, nodesContract(nodes, changes));
    contribute(CredentialSources, nodeCredentials(nodes, secrets));
    const uses = nodeUses(nodes);
    contribute(NodeClusterUses, uses.clusters);
    contribute(NodeRegionUses, uses.regions);
    contribute(NodeGrantUses, uses.grants);
    contribute(NodeGrantSuggestions, grantSuggestion(nodes));
    contribute(AdminDashboard, nodeFigures(nodes, clock));
  },
});
export default plugin;
