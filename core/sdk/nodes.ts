/**
 * Serves nodes: the machines of the network, which report to the installation and take commands from it.
 *
 * A plugin that stores a kind of node registers it with the contract `NodeStreams`. It then serves the streams of its
 * nodes, and sends them commands on whichever instance they are connected. The functions check the fields that all kinds of
 * nodes have in common: the login of a machine, the reports of a node, its directories and API addresses, and the packages
 * of a node program that can be deployed.
 *
 * @example
 * ```ts
 * import { deepEqual, equal } from "node:assert/strict";
 * import { deployPackages, latestPackage, versionCode } from "edgehelm/nodes";
 *
 * const packages = deployPackages("edge-dns", ["edge-dns-linux-amd64-v1.9.0.zip", "edge-dns-linux-amd64-v1.10.0.zip"]);
 * equal(latestPackage(packages)?.version, "1.10.0");
 * equal(versionCode("1.9.0") < versionCode("1.10.0"), true);
 * deepEqual(deployPackages("edge-dns", ["notes.txt"]), []);
 * ```
 *
 * @module
 */
export { type DeployPackage, deployPackages, latestPackage, versionCode } from "../nodes/deploy_packages.ts";
export {
  apiAddressesJSON,
  directoryField,
  type NodeLogin,
  nodeLoginField,
  type NodeReport,
  nodeReportField,
} from "../nodes/node_fields.ts";
export type { NodeMessage } from "../nodes/node_stream.ts";
export { type NodeKind, type NodeLinks, type NodeNews, type NodeReply, NodeStreams } from "../nodes/node_streams.ts";
