// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/ReverseProxyService/createReverseProxy": ["kernel.invalid_field","kernel.other_owner","kernel.shared","origin.not_found","plan.not_found","reverse_proxy.not_found"],
  "/ReverseProxyService/findEnabledReverseProxy": ["kernel.invalid_field","kernel.other_owner","kernel.shared","origin.not_found","reverse_proxy.not_found"],
  "/ReverseProxyService/findEnabledReverseProxyConfig": ["kernel.invalid_field","kernel.other_owner","kernel.shared","origin.not_found","reverse_proxy.not_found"],
  "/ReverseProxyService/updateReverseProxy": ["kernel.invalid_field","kernel.other_owner","kernel.shared","origin.not_found","reverse_proxy.not_found"],
  "/ReverseProxyService/updateReverseProxyBackupOrigins": ["kernel.invalid_field","kernel.other_owner","kernel.shared","origin.not_found","reverse_proxy.not_found"],
  "/ReverseProxyService/updateReverseProxyPrimaryOrigins": ["kernel.invalid_field","kernel.other_owner","kernel.shared","origin.not_found","reverse_proxy.not_found"],
  "/ReverseProxyService/updateReverseProxyScheduling": ["kernel.invalid_field","kernel.other_owner","kernel.shared","origin.not_found","reverse_proxy.not_found"],
};
