import type { UserQuota } from "../user_quota/contract.ts";

/** The quota of firewall policies of one user. */
export const FIREWALL_POLICIES: UserQuota = { name: "firewallPolicies", max: 100n };
