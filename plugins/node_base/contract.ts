export { connectedIds, connectedIdsField } from "./contract/api_node_ids.ts";
export { type NodeCaller, nodeCaller } from "./contract/callers.ts";
export { commandField, type NodeCommand } from "./contract/command_fields.ts";
export { type NodeCredentialRow, nodeCredentials, type NodeCredentialStore } from "./contract/credentials.ts";
export { ddosProtectionRule } from "./contract/ddos_protection.ts";
export { type DeployPackage, deployPackages, latestPackage, versionCode } from "./contract/deploy_packages.ts";
export {
  apiAddressesJSON,
  type NodeLogin,
  nodeLoginField,
  type NodeReport,
  nodeReportField,
} from "./contract/fields.ts";
export {
  ForeignRows,
  type ForeignRowsDeps,
  pastDaysSetting,
  uploadTimeField,
  type UploadTimes,
  uploadTimes,
} from "./contract/uploads.ts";
export {
  type NodeKind,
  type NodeLinks,
  type NodeMessage,
  type NodeNews,
  type NodeReply,
  NodeStreams,
} from "./contract/streams.ts";
