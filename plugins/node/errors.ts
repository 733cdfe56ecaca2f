import { defineErrors } from "edgehelm";

export const errors = defineErrors("node", {
  not_found: ["not_found", (id: bigint) => `node ${id} does not exist`],
  not_in_cluster: ["not_found", (id: bigint, clusterId: bigint) => `node ${id} is not in node cluster ${clusterId}`],
  no_package: ["not_found", (os: string, arch: string) => `there is no package for ${os} ${arch}`],
  login_missing: [
    "invalid",
    (loginId: bigint, id: bigint) => `nodeLogin.id: login ${loginId} does not belong to node ${id}`,
  ],
});
