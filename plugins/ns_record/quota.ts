import type { UserQuota } from "../user_quota/contract.ts";

/** The quota of records in one domain of a user. */
export const RECORDS_PER_DOMAIN: UserQuota = { name: "nsRecordsPerDomain", max: 10_000n };
