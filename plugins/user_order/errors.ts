import { defineErrors } from "edgehelm";
import { amountText } from "edgehelm/fields";

export const errors = defineErrors("user_order", {
  not_found: ["not_found", (code: bigint | string) => `order "${code}" does not exist`],
  method_off: ["conflict", (code: string) => `the order method "${code}" is turned off`],
  no_provider: ["conflict", (code: string) => `the order method "${code}" has no payment provider that sends notices`],
  already_paid: ["conflict", (code: string) => `order "${code}" was paid and cannot be cancelled`],
  too_many: ["exhausted", (max: number) => `at most ${max} orders may wait for payment: pay or cancel some first`],
  other_price: [
    "conflict",
    (price: bigint, amount: bigint) => `the price is ${amountText(price)}, not ${amountText(amount)}`,
  ],
});
