// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/NodeInstallationService/acceptNodeHostKey": ["kernel.invalid_field","node.not_found","node_installation.host_key_not_found","node_installation.host_key_not_offered"],
  "/NodeInstallationService/cancelNodeInstallation": ["api_node.not_found","kernel.invalid_field","kernel.module_required","node_installation.not_found","node_installation.not_running"],
  "/NodeInstallationService/createNodePackage": ["file.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared","node_installation.package_exists","node_installation.sum_differs"],
  "/NodeInstallationService/deleteNodeHostKey": ["kernel.invalid_field","node.not_found","node_installation.host_key_not_found"],
  "/NodeInstallationService/deleteNodePackage": ["file.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared","node_installation.package_not_found"],
  "/NodeInstallationService/findAllNodeHostKeys": [],
  "/NodeInstallationService/findAllNodePackages": [],
  "/NodeInstallationService/findNodeInstallation": ["kernel.invalid_field","kernel.module_required","node.not_found"],
};
