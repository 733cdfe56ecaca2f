import { defineErrors } from "edgehelm";

export const errors = defineErrors("user_bill", {
  not_found: ["not_found", (id: bigint) => `bill ${id} does not exist`],
  busy: ["unavailable", () => "other runs charge the same users; try again"],
  no_statistics: [
    "unavailable",
    () => "bills require the statistics of servers: the plugin server_daily_stat is not enabled",
  ],
});
