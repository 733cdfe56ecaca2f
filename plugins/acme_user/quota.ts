import type { UserQuota } from "../user_quota/contract.ts";

/** The quota of ACME users of one user. */
export const ACME_USERS: UserQuota = { name: "acmeUsers", max: 1_000n };
