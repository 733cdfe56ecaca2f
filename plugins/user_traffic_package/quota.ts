import type { UserQuota } from "../user_quota/contract.ts";

/** The quota of traffic packages of one user. */
export const TRAFFIC_PACKAGES: UserQuota = { name: "trafficPackages", max: 1000n };
