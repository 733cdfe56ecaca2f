import { definePlugin, optional, type Plugin } from "edgehelm";
import { AccessTokens, CredentialSources, sealedSecrets, Secrets } from "edgehelm/auth";
import { Events } from "edgehelm/runtime";
import { nodeCredentials, NodeStreams } from "../node_base/contract.ts";
import { NodeGrants, NodeGrantUses } from "../node_grant/contract.ts";
import { AddressedNodes, NodeIPAddresses } from "../node_ip_address/contract.ts";
import { NodeInstallations } from "../node_installation/contract.ts";
import { NodeLogClusters, NodeLogs } from "../node_log/contract.ts";
import { NSClusters, NSClusterUses } from "../ns_cluster/contract.ts";
import { nsNodes } from "./callers.ts";
import { errors } from "./errors.ts";
import { EVENTS } from "./events.ts";
import { NSNodeConfigSchema } from "./proto/config_pb.ts";
import { NSNodeFeeds, NSNodes, NSNodeWatchers } from "./contract.ts";
import { nsNodeHandlers } from "./handlers/all.ts";
import { nsNodeProgram } from "./program.ts";
import { nsNodeKind } from "./links.ts";
import { migrations } from "./migrations/mod.ts";
import manifest from "./plugin.json" with { type: "json" };
import { Presence } from "./presence.ts";
import { NSNodeService } from "./proto/service_ns_node_pb.ts";
import { nsNodeLists } from "./store_lists.ts";
import { nsNodeStore, type Tables } from "./store.ts";
import { addressedNodes, clusterUses, grantUses, logClusters } from "./uses.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations,
  events: EVENTS,
  config: NSNodeConfigSchema,
  sealed: [{ table: "nsNodes", column: "secret", row: "uniqueId" }],
  requires: {
    clusters: NSClusters,
    grants: optional(NodeGrants),
    installations: optional(NodeInstallations),
    addresses: optional(NodeIPAddresses),
    logs: optional(NodeLogs),
    sealer: Secrets,
    tokens: AccessTokens,
    streams: NodeStreams,
    events: Events,
  },
  async setup({ db, config, clock, deps, every, contribute, ...setup }) {
    const [nodes, lists] = [nsNodeStore(db<Tables>()), nsNodeLists(db<Tables>())];
    const secrets = await sealedSecrets(deps.sealer, "nsNodes", "secret");
    const presence = new Presence(nodes, setup.contributions(NSNodeWatchers), clock, deps.events);
    const installer = deps.installations?.of(nsNodeProgram(nodes, secrets));
    const feeds = setup.contributions(NSNodeFeeds);
    const links = deps.streams.of(nsNodeKind({ ...deps, ...config, nodes, presence, feeds }));
    const handlerDeps = { ...deps, nodes, lists, secrets, installer, presence, links, clock };
    setup.serve(NSNodeService, nsNodeHandlers(handlerDeps));
    setup.provide(NSNodes, nsNodes(nodes, clock));
    contribute(CredentialSources, nodeCredentials(manifest.name, "dns", nodes, secrets));
    contribute(NSClusterUses, clusterUses(nodes));
    contribute(NodeGrantUses, grantUses(nodes));
    contribute(AddressedNodes, addressedNodes(nodes));
    contribute(NodeLogClusters, logClusters(nodes));
    every({ name: "watch", everySeconds: 60, run: (call) => presence.watch(call) });
  },
});
export default plugin;
