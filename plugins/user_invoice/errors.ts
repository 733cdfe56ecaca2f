import { defineErrors } from "edgehelm";
import { amountText } from "edgehelm/fields";

export const errors = defineErrors("user_invoice", {
  not_found: ["not_found", (id: bigint) => `invoice ${id} does not exist`],
  no_address: ["conflict", (userId: bigint) => `user ${userId} has no address for invoices`],
  no_lines: ["conflict", (userId: bigint) => `user ${userId} has no expenses on these days that are on no invoice yet`],
  too_many: ["conflict", (max: number) => `there are more than ${max} expenses on these days: choose fewer days`],
  not_invoice: ["conflict", (number: string) => `${number} is a credit note, which cannot be corrected`],
  too_much: [
    "conflict",
    (number: string, left: bigint) => `${amountText(left)} of the invoice ${number} is left to correct`,
  ],
});
