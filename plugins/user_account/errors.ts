import { amountText, defineErrors } from "edgehelm";

export const errors = defineErrors("user_account", {
  not_found: ["not_found", (id: bigint) => `account ${id} does not exist`],
  insufficient: [
    "conflict",
    (userId: bigint, total: bigint, needed: bigint) =>
      `the account of user ${userId} holds ${amountText(total)}, which does not suffice for ${amountText(needed)}`,
  ],
  too_much: [
    "conflict",
    (userId: bigint, total: bigint) =>
      `the account of user ${userId} holds ${amountText(total)}, and would hold more than can be kept`,
  ],
  too_many_matches: [
    "invalid",
    (limit: number) => `keyword: more than ${limit} users match; say more of the name`,
  ],
});
