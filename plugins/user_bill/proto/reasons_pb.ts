// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/UserBillService/countAllUserBills": ["kernel.invalid_field"],
  "/UserBillService/findUserBill": [],
  "/UserBillService/generateAllUserBills": ["kernel.invalid_field","kernel.other_owner","kernel.shared","node_price_item.not_found","node_region.not_found","plan.not_found","user_bill.busy","user_bill.no_statistics","user_plan.not_found","user_traffic_package.not_found"],
  "/UserBillService/listUserBills": ["kernel.invalid_field"],
  "/UserBillService/payUserBill": ["kernel.invalid_field","kernel.shared","user.unknown","user_account.insufficient","user_account.too_much","user_bill.not_found"],
  "/UserBillService/sumUserUnpaidBills": ["kernel.invalid_field"],
};
