// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/NodeLogService/countAllUnreadNodeLogs": ["kernel.invalid_field","node.not_found"],
  "/NodeLogService/countNodeLogs": ["kernel.invalid_field","node.not_found"],
  "/NodeLogService/createNodeLogs": ["kernel.invalid_field","kernel.other_owner","kernel.shared","node.not_found","origin.not_found","reverse_proxy.not_found"],
  "/NodeLogService/deleteNodeLogs": ["kernel.invalid_field","node.not_found"],
  "/NodeLogService/fixAllNodeLogs": ["kernel.invalid_field","node.not_found"],
  "/NodeLogService/fixNodeLogs": ["kernel.invalid_field","node.not_found"],
  "/NodeLogService/listNodeLogs": ["kernel.invalid_field","node.not_found"],
  "/NodeLogService/updateAllNodeLogsRead": ["kernel.invalid_field","node.not_found"],
  "/NodeLogService/updateNodeLogsRead": ["kernel.invalid_field","node.not_found"],
};
