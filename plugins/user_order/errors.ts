import { defineErrors } from "edgehelm";
import { amountText } from "edgehelm/fields";

export const errors = defineErrors("user_order", {
  not_found: ["not_found", (code: bigint | string) => `order "${code}" does not exist`],
  method_off: ["conflict", (code: string) => `the order method "${code}" is turned off`],
  refund_not_found: ["not_found", (code: bigint | string) => `refund "${code}" does not exist`],
  not_paid: ["conflict", (code: string) => `order "${code}" was not paid: there is nothing to pay back`],
  refunded: ["conflict", (code: string) => `order "${code}" was paid back or taken back in full`],
  refund_finished: ["conflict", (code: string) => `refund "${code}" was paid back and cannot fail`],
  refund_failed: ["conflict", (code: string) => `refund "${code}" failed: its amount returned to the account`],
  no_provider: ["conflict", (code: string) => `the order method "${code}" has no payment provider that sends notices`],
  already_paid: ["conflict", (code: string) => `order "${code}" was paid and cannot be cancelled`],
  too_many: ["exhausted", (max: number) => `at most ${max} orders may wait for payment: pay or cancel some first`],
  other_price: [
    "conflict",
    (price: bigint, amount: bigint) => `the price is ${amountText(price)}, not ${amountText(amount)}`,
  ],
});
