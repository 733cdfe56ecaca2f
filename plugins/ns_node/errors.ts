import { defineErrors } from "edgehelm";

export const errors = defineErrors("ns_node", {
  not_found: ["not_found", (id: bigint) => `DNS node ${id} does not exist`],
  no_package: ["not_found", (os: string, arch: string) => `there is no deploy package for ${os} ${arch}`],
});
