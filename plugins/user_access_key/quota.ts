import type { UserQuota } from "../user_quota/contract.ts";

/** The quota of access keys of one user. */
export const ACCESS_KEYS: UserQuota = { name: "accessKeys", max: 20n };
