import { defineErrors } from "edgehelm";
import { amountText } from "edgehelm/fields";

export const errors = defineErrors("user_account", {
  not_found: ["not_found", (id: bigint) => `account ${id} does not exist`],
  insufficient: [
    "conflict",
    (userId: bigint, total: bigint, needed: bigint) =>
      `the account of user ${userId} has a balance of ${amountText(total)}, which is less than ${amountText(needed)}`,
  ],
  too_much: [
    "conflict",
    (userId: bigint, total: bigint) =>
      `the account of user ${userId} has a balance of ${amountText(total)} and would exceed the maximum`,
  ],
  too_many_matches: [
    "invalid",
    (limit: number) => `keyword: more than ${limit} users match; use a longer keyword`,
  ],
});
