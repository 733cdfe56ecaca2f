// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/UserBillService/countAllUserBills": ["kernel.invalid_field"],
  "/UserBillService/findUserBill": ["kernel.invalid_field","kernel.other_owner","kernel.shared","user_bill.not_found"],
  "/UserBillService/generateAllUserBills": ["admin.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared","node.not_found","node_price_item.not_found","node_region.not_found","origin.not_found","plan.not_found","reverse_proxy.not_found","server.not_found","user_bill.busy","user_bill.no_statistics","user_bill.not_found","user_plan.not_found","user_traffic_package.not_found"],
  "/UserBillService/listUserBills": ["kernel.invalid_field"],
  "/UserBillService/payUserBill": ["admin.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared","node.not_found","origin.not_found","reverse_proxy.not_found","server.not_found","user.unknown","user_account.insufficient","user_account.too_much","user_bill.not_found","user_plan.not_found"],
  "/UserBillService/sumUserUnpaidBills": ["kernel.invalid_field","kernel.other_owner","kernel.shared","user_bill.not_found"],
};
