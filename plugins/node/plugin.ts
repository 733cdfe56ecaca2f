import { definePlugin, optional, type Plugin } from "edgehelm";
import { AccessTokens, CredentialSources, sealedSecrets, Secrets } from "edgehelm/auth";
import { Events } from "edgehelm/runtime";
import { AdminDashboard } from "../admin/contract.ts";
import { nodeCredentials, NodeStreams } from "../node_base/contract.ts";
import { NodeClusters } from "../node_cluster/contract.ts";
import { NodeGrants, NodeGrantSuggestions, NodeGrantTargets } from "../node_grant/contract.ts";
import { NodeInstallations } from "../node_installation/contract.ts";
import { NodeRegions } from "../node_region/contract.ts";
import { NodeAddressSources, NodeConfigParts, NodeDeletions, NodeListeners, Nodes } from "./contract.ts";
import { grantSuggestion, nodeFigures, nodesContract, nodeUses } from "./contributions.ts";
import { errors } from "./errors.ts";
import { EVENTS } from "./events.ts";
import { allHandlers } from "./handlers/all.ts";
import { nodeKind } from "./links.ts";
import { migrations } from "./migrations/mod.ts";
import manifest from "./plugin.json" with { type: "json" };
import { nodeProgram } from "./program.ts";
import { Presence } from "./presence.ts";
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
  events: EVENTS,
  sealed: [{ table: "nodes", column: "secret", row: "uniqueId" }],
  requires: {
    clusters: NodeClusters,
    regions: optional(NodeRegions),
    grants: optional(NodeGrants),
    installations: optional(NodeInstallations),
    streams: NodeStreams,
    events: Events,
    sealer: Secrets,
    tokens: AccessTokens,
  },
  async setup({ db, clock, deps: { sealer, ...deps }, serve, provide, contribute, contributions, every }) {
    const tables = db<Tables>();
    const nodes = nodeStore(tables);
    const changes = nodeChanges(tables);
    const secrets = await sealedSecrets(sealer, "nodes", "secret");
    const presence = new Presence(changes, clock, deps.events);
    const extensions = {
      deletions: contributions(NodeDeletions),
      listeners: contributions(NodeListeners),
      addressSources: contributions(NodeAddressSources),
      configParts: contributions(NodeConfigParts),
    };
    const links = deps.streams.of(nodeKind(nodes, changes, deps.clusters));
    const stores = { nodes, changes, secrets };
    const installer = deps.installations?.of(nodeProgram({ ...stores, ...deps }));
    serve(NodeService, allHandlers({ ...stores, presence, clock, links, installer, ...deps, ...extensions }));
    const contract = nodesContract(nodes, changes);
    provide(Nodes, contract);
    contribute(CredentialSources, nodeCredentials(manifest.name, "node", nodes, secrets));
    for (const [uses, check] of nodeUses(nodes)) contribute(uses, check);
    contribute(NodeGrantSuggestions, grantSuggestion(nodes));
    contribute(NodeGrantTargets, contract);
    contribute(AdminDashboard, nodeFigures(nodes, clock));
    every({ name: "watch", everySeconds: 60, run: (call) => presence.watch(call) });
  },
});
export default plugin;
