import type { UserQuota } from "../user_quota/contract.ts";

/** The quota of domain groups of one user. */
export const NS_DOMAIN_GROUPS: UserQuota = { name: "nsDomainGroups", max: 1_000n };
