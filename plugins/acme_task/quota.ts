import type { UserQuota } from "../user_quota/contract.ts";

/** The quota of ACME tasks of one user. */
export const ACME_TASKS: UserQuota = { name: "acmeTasks", max: 1_000n };
