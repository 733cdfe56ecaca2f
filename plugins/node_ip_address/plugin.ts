import { definePlugin, type Plugin } from "edgehelm";
import { NodeAddressSources, NodeConfigParts, NodeDeletions, NodeListeners, Nodes } from "../node/contract.ts";
import { NodeClusters } from "../node_cluster/contract.ts";
import { configPart, edgeNodeAddresses, nodeIPAddresses, nodeListener } from "./addresses.ts";
import { AddressedNodes, NodeIPAddresses } from "./contract.ts";
import { errors } from "./errors.ts";
import { nodeIPAddressHandlers } from "./handlers.ts";
import * as createNodeIPAddresses from "./migrations/0001_create_node_ip_addresses.ts";
import manifest from "./plugin.json" with { type: "json" };
import { NodeIPAddressService } from "./proto/service_node_ip_address_pb.ts";
import { nodeIPAddressStore, type Tables } from "./store.ts";

const plugin: Plugin = definePlugin({
  manifest,
  errors,
  comments: () => import("./proto/comments_pb.ts"),
  reasons: () => import("./proto/reasons_pb.ts"),
  migrations: { "0001_create_node_ip_addresses": createNodeIPAddresses },
  requires: { nodes: Nodes, clusters: NodeClusters },
  setup({ db, deps: { nodes, clusters }, serve, provide, contribute, contributions }) {
    const addresses = nodeIPAddressStore(db<Tables>());
    const otherNodes = contributions(AddressedNodes);
    serve(NodeIPAddressService, nodeIPAddressHandlers({ addresses, nodes, clusters, otherNodes }));
    provide(NodeIPAddresses, nodeIPAddresses(addresses, clusters));
    contribute(NodeAddressSources, edgeNodeAddresses(addresses));
    contribute(NodeConfigParts, configPart(addresses));
    contribute(NodeListeners, nodeListener(addresses));
    contribute(NodeDeletions, {
      deleted: async (call, nodeId) => void await addresses.softDeleteOfNode.run(call, { nodeId, role: "node" }),
    });
  },
});
export default plugin;
