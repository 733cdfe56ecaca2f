import type { UserQuota } from "../user_quota/contract.ts";

/** The quota of reverse proxies of one user. */
export const REVERSE_PROXIES: UserQuota = { name: "reverseProxies", max: 1_000n };
