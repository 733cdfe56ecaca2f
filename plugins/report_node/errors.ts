import { defineErrors } from "edgehelm";

export const errors = defineErrors("report_node", {
  not_found: ["not_found", (id: bigint) => `report node ${id} does not exist`],
  address_refused: [
    "forbidden",
    (id: bigint, address: string) => `permission denied: report node ${id} may not report from ${address}`,
  ],
});
