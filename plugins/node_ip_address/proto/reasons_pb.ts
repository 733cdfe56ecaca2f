// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/NodeIPAddressService/countAllEnabledNodeIPAddresses": ["kernel.invalid_field","node.not_found","node_ip_address.not_found"],
  "/NodeIPAddressService/createNodeIPAddress": ["kernel.invalid_field","node.not_found","node_cluster.not_found","node_ip_address.node_missing","node_ip_address.not_found","node_ip_address.taken"],
  "/NodeIPAddressService/createNodeIPAddresses": ["kernel.invalid_field","node.not_found","node_cluster.not_found","node_ip_address.node_missing","node_ip_address.not_found","node_ip_address.taken"],
  "/NodeIPAddressService/disableAllNodeIPAddressesWithNodeId": ["kernel.invalid_field","node.not_found","node_ip_address.node_missing","node_ip_address.not_found"],
  "/NodeIPAddressService/disableNodeIPAddress": ["kernel.invalid_field","node.not_found","node_ip_address.not_found"],
  "/NodeIPAddressService/findAllEnabledNodeIPAddressesWithNodeId": ["kernel.invalid_field","node.not_found","node_cluster.not_found","node_ip_address.not_found"],
  "/NodeIPAddressService/findEnabledNodeIPAddress": ["kernel.invalid_field","node.not_found","node_cluster.not_found","node_ip_address.not_found"],
  "/NodeIPAddressService/listEnabledNodeIPAddresses": ["kernel.invalid_field","node.not_found","node_cluster.not_found","node_ip_address.not_found"],
  "/NodeIPAddressService/updateNodeIPAddress": ["kernel.invalid_field","node.not_found","node_cluster.not_found","node_ip_address.not_found","node_ip_address.taken"],
  "/NodeIPAddressService/updateNodeIPAddressIsUp": ["kernel.invalid_field","node.not_found","node_ip_address.not_found"],
  "/NodeIPAddressService/updateNodeIPAddressNodeId": ["kernel.invalid_field","node.not_found","node_ip_address.node_missing","node_ip_address.not_found","node_ip_address.taken"],
};
