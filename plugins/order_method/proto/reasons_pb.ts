// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/OrderMethodService/createOrderMethod": ["kernel.invalid_field","order_method.exists","order_method.not_found"],
  "/OrderMethodService/deleteOrderMethod": ["kernel.invalid_field","order_method.in_use","order_method.not_found"],
  "/OrderMethodService/findAllAvailableOrderMethods": ["kernel.invalid_field","order_method.not_found"],
  "/OrderMethodService/findAllEnabledOrderMethods": ["kernel.invalid_field","order_method.not_found"],
  "/OrderMethodService/findEnabledOrderMethod": ["kernel.invalid_field","order_method.not_found"],
  "/OrderMethodService/findEnabledOrderMethodWithCode": ["kernel.invalid_field","order_method.not_found"],
  "/OrderMethodService/updateOrderMethod": ["kernel.invalid_field","order_method.not_found"],
};
