import {
  AccessTokens,
  CredentialSources,
  definePlugin,
  hostPart,
  nodeCredentials,
  NodeStreams,
  optional,
  type Plugin,
  sealedSecrets,
  Secrets,
} from "edgehelm";
import { NodeGrants, NodeGrantUses } from "../node_grant/contract.ts";
import { AddressedNodes, NodeIPAddresses } from "../node_ip_address/contract.ts";
import { NodeLogClusters, NodeLogs } from "../node_log/contract.ts";
import { NSClusters, NSClusterUses } from "../ns_cluster/contract.ts";
import { nsNodes } from "./callers.ts";
import { NSNodeConfigSchema } from "./proto/config_pb.ts";
import { NSNodeFeeds, NSNodes, NSNodeWatchers } from "./contract.ts";
import { nsNodeHandlers } from "./handlers/all.ts";
import { Installations } from "./installations.ts";
import type { Machine } from "./machine.ts";
import { migrations } from "./migrations/mod.ts";
import manifest from "./plugin.json" with { type: "json" };
import { Presence } from "./presence.ts";
import { NSNodeService } from "./proto/service_ns_node_pb.ts";
import { nsNodeLists } from "./store_lists.ts";
import { nsNodeStore, type Tables } from "./store.ts";
import { addressedNodes, clusterUses, grantUses, loggedNodes } from "./uses.ts";

const plugin: Plugin = definePlugin({
  manifest,
  migrations,
  config: NSNodeConfigSchema,
  host: hostPart<Machine>(),
  requires: {
    clusters: NSClusters,
    grants: optional(NodeGrants),
    addresses: optional(NodeIPAddresses),
    logs: optional(NodeLogs),
    sealer: Secrets,
    tokens: AccessTokens,
    streams: NodeStreams,
  },
  async setup({ db, config, clock, host: machine, deps, every, contribute, ...setup }) {
    const [nodes, lists] = [nsNodeStore(db<Tables>()), nsNodeLists(db<Tables>())];
    const secrets = await sealedSecrets(deps.sealer, "nsNodes", "secret");
    const presence = new Presence(nodes, setup.contributions(NSNodeWatchers), clock);
    const installations = new Installations(nodes, secrets, machine, clock);
    const parts = { ...deps, ...config, nodes, lists, secrets, machine, presence, installations, clock };
    setup.serve(NSNodeService, nsNodeHandlers({ ...parts, feeds: setup.contributions(NSNodeFeeds) }));
    setup.provide(NSNodes, nsNodes(nodes));
    contribute(CredentialSources, nodeCredentials(manifest.name, "dns", nodes, secrets));
    contribute(NSClusterUses, clusterUses(nodes));
    contribute(NodeGrantUses, grantUses(nodes));
    contribute(AddressedNodes, addressedNodes(nodes));
    contribute(NodeLogClusters, loggedNodes(nodes));
    every({ name: "watch", everySeconds: 60, run: (call) => presence.watch(call) });
    every({ name: "install", everySeconds: 5, run: (call) => installations.run(call) });
  },
});
export default plugin;
