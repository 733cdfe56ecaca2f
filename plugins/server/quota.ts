import type { UserQuota } from "../user_quota/contract.ts";

/** The quota of names of all servers of one user. */
export const SERVER_NAMES: UserQuota = { name: "serverNames", max: 10_000n };

/** The quota of servers of one user. */
export const SERVERS: UserQuota = { name: "servers", max: 1_000n };
