import { defineErrors } from "edgehelm";

export const errors = defineErrors("report_node_group", {
  not_found: ["not_found", (id: bigint) => `report node group ${id} does not exist`],
  in_use: ["conflict", (id: bigint, users: string) => `report node group ${id} is used by ${users}`],
});
