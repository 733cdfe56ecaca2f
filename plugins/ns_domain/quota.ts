import type { UserQuota } from "../user_quota/contract.ts";

/** The quota of domains of one user. */
export const NS_DOMAINS: UserQuota = { name: "nsDomains", max: 10_000n };
