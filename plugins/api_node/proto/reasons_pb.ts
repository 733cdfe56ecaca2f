// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/APINodeService/countAllEnabledAPINodes": ["api_node.not_found","kernel.invalid_field"],
  "/APINodeService/countAllEnabledAndOnAPINodes": ["api_node.not_found","kernel.invalid_field"],
  "/APINodeService/createAPINode": ["api_node.not_found","kernel.invalid_field"],
  "/APINodeService/deleteAPINode": ["api_node.is_current","api_node.is_primary","api_node.not_found","kernel.invalid_field"],
  "/APINodeService/findAllEnabledAPINodes": ["api_node.not_found","kernel.invalid_field"],
  "/APINodeService/findCurrentAPINode": ["api_node.not_found","kernel.invalid_field"],
  "/APINodeService/findCurrentAPINodeVersion": ["api_node.not_found","kernel.invalid_field"],
  "/APINodeService/findEnabledAPINode": ["api_node.not_found","kernel.invalid_field"],
  "/APINodeService/listEnabledAPINodes": ["api_node.not_found","kernel.invalid_field"],
  "/APINodeService/updateAPINode": ["api_node.not_found","api_node.primary_needed","kernel.invalid_field"],
};
