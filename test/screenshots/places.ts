/** A page of which there is a screenshot. */
export interface Place {
  readonly name: string;
  /** The steps after `#/`. */
  readonly link: string;
  readonly by: "admin" | "customer";
  /** True for the first object of the list at the link. */
  readonly first?: true;
}

/** The pages that have something to look at in the demonstration. */
export const PLACES: readonly Place[] = [
  { name: "overview", link: "", by: "admin" },
  { name: "domains", link: "resource/NSDomain", by: "admin" },
  { name: "domain", link: "resource/NSDomain", by: "admin", first: true },
  { name: "dns-cluster", link: "resource/NSCluster", by: "admin", first: true },
  { name: "dns-nodes", link: "resource/NSNode", by: "admin" },
  { name: "dns-node", link: "resource/NSNode", by: "admin", first: true },
  { name: "sites", link: "resource/Server", by: "admin" },
  { name: "site", link: "resource/Server", by: "admin", first: true },
  { name: "new-site", link: "resource/Server/new", by: "admin" },
  { name: "edge-node", link: "resource/Node", by: "admin", first: true },
  { name: "users", link: "resource/User", by: "admin" },
  { name: "user", link: "resource/User", by: "admin", first: true },
  { name: "new-user", link: "resource/User/new", by: "admin" },
  { name: "plans", link: "resource/Plan", by: "admin" },
  { name: "plan", link: "resource/Plan", by: "admin", first: true },
  { name: "new-plan", link: "resource/Plan/new", by: "admin" },
  { name: "user-plans", link: "resource/UserPlan", by: "admin" },
  { name: "accounts", link: "resource/UserAccount", by: "admin" },
  { name: "access-logs", link: "access-logs", by: "admin" },
  { name: "audit", link: "audit", by: "admin" },
  { name: "health", link: "health", by: "admin" },
  { name: "jobs", link: "jobs", by: "admin" },
  { name: "plugins", link: "plugins", by: "admin" },
  { name: "plugin", link: "plugins/http_access_log", by: "admin" },
  { name: "messages", link: "messages", by: "admin" },
  { name: "messages-failed", link: "messages/queue/failed", by: "admin" },
  { name: "messages-recipients", link: "messages/recipients", by: "admin" },
  { name: "messages-recipient", link: "messages/recipients", by: "admin", first: true },
  { name: "messages-groups", link: "messages/groups", by: "admin" },
  { name: "messages-channels", link: "messages/channels", by: "admin" },
  { name: "messages-channel", link: "messages/channels", by: "admin", first: true },
  { name: "messages-new-channel", link: "messages/channels/new", by: "admin" },
  { name: "settings", link: "settings", by: "admin" },
  { name: "admins", link: "admins", by: "admin" },
  { name: "admin", link: "admins/1", by: "admin" },
  { name: "new-admin", link: "admins/new", by: "admin" },
  { name: "profile", link: "profile", by: "admin" },
  { name: "certificates", link: "certificates", by: "admin" },
  { name: "cache-policy", link: "resource/HTTPCachePolicy", by: "admin", first: true },
  { name: "firewall-policy", link: "resource/HTTPFirewallPolicy", by: "admin", first: true },
  { name: "security", link: "security", by: "admin" },
  { name: "explorer", link: "explorer/NSDomainService/createNSDomain", by: "admin" },
  { name: "my-overview", link: "", by: "customer" },
  { name: "my-domains", link: "resource/NSDomain", by: "customer" },
  { name: "my-domain", link: "resource/NSDomain", by: "customer", first: true },
  { name: "my-sites", link: "resource/Server", by: "customer" },
  { name: "my-new-site", link: "resource/Server/new", by: "customer" },
  { name: "my-keys", link: "access-keys", by: "customer" },
  { name: "my-plans", link: "plans", by: "customer" },
  { name: "my-bills", link: "billing", by: "customer" },
  { name: "my-new-domain", link: "resource/NSDomain/new", by: "customer" },
];
