import type { UserQuota } from "../user_quota/contract.ts";

/** The quota of origins of one user. */
export const ORIGINS: UserQuota = { name: "origins", max: 1_000n };
