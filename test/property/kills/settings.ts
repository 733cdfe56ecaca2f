/** Bills are overdue after so many days. */
export const OVERDUE_DAYS = 10;
/** The configuration of the plugins. */
export const CONFIG = {
  user_bill: { trafficPricePerGB: 0.2, overdueDays: OVERDUE_DAYS, automatic: true, graceDays: 1 },
  user_order: { currency: "EUR" },
  user_invoice: {
    seller: "Edge Ltd",
    currency: "EUR",
    taxes: [{ country: "IE", rate: 0.23, label: "VAT", reverseChargeText: "" }],
  },
};
/** The jobs of money and states, in the order in which they depend on each other. */
export const JOBS = [
  "user_bill.generate",
  "user.derive_states",
  "user_plan.announce_ends",
  "user_plan.stop_ended",
  "user_order.send_refunds",
  "ns_domain.follow",
  "ns_domain.publish",
];
