import { defineErrors } from "edgehelm";

export const errors = defineErrors("user_bill", {
  not_found: ["not_found", (id: bigint) => `bill ${id} does not exist`],
  no_statistics: [
    "unavailable",
    () => "bills are made from the statistics of servers, and no enabled plugin keeps them (server_daily_stat)",
  ],
});
