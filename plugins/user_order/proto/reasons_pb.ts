// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/UserOrderRefundService/countUserOrderRefunds": ["kernel.invalid_field","kernel.other_owner","kernel.shared","user_order.refund_not_found"],
  "/UserOrderRefundService/createUserOrderRefund": ["kernel.invalid_field","kernel.other_owner","kernel.shared","kernel.unavailable","user.unknown","user_account.insufficient","user_account.too_much","user_order.not_found","user_order.not_paid","user_order.refund_not_found","user_order.refunded"],
  "/UserOrderRefundService/finishUserOrderRefund": ["kernel.invalid_field","kernel.other_owner","kernel.shared","user.unknown","user_account.insufficient","user_account.too_much","user_order.not_found","user_order.refund_failed","user_order.refund_finished","user_order.refund_not_found"],
  "/UserOrderRefundService/listUserOrderRefunds": ["kernel.invalid_field","kernel.other_owner","kernel.shared","user_order.refund_not_found"],
  "/UserOrderService/cancelUserOrder": ["kernel.invalid_field","kernel.other_owner","kernel.shared","user_order.already_paid","user_order.not_found"],
  "/UserOrderService/countEnabledUserOrders": ["kernel.invalid_field","kernel.other_owner","kernel.shared","user_order.not_found"],
  "/UserOrderService/createUserOrder": ["kernel.invalid_field","kernel.other_owner","kernel.shared","kernel.unavailable","order_method.not_found","user.not_found","user.state_forbids","user_order.method_off","user_order.not_found","user_order.other_price","user_order.refund_not_found","user_order.too_many","user_traffic_package.not_found","user_traffic_package.not_sold","user_traffic_package.off"],
  "/UserOrderService/findEnabledUserOrder": ["kernel.invalid_field","kernel.other_owner","kernel.shared","user_order.not_found","user_order.refund_not_found"],
  "/UserOrderService/finishUserOrder": ["kernel.invalid_field","kernel.other_owner","kernel.shared","plan.not_found","user.unknown","user_account.insufficient","user_account.too_much","user_order.not_found","user_order.refund_not_found","user_traffic_package.not_found"],
  "/UserOrderService/listEnabledUserOrders": ["kernel.invalid_field","kernel.other_owner","kernel.shared","user_order.not_found","user_order.refund_not_found"],
  "/UserOrderService/notifyUserOrderPayment": ["kernel.invalid_field","kernel.other_owner","kernel.shared","order_method.not_found","payment_webhook.malformed","payment_webhook.unsigned","plan.not_found","user.unknown","user_account.insufficient","user_account.too_much","user_order.no_provider","user_order.not_found","user_order.refund_failed","user_order.refund_not_found","user_traffic_package.not_found"],
};
