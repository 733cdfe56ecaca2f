import type { UserQuota } from "../user_quota/contract.ts";

/** The quota of certificates of one user. */
export const CERTIFICATES: UserQuota = { name: "certificates", max: 1_000n };
