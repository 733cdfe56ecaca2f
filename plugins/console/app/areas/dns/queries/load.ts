import { callPath } from "../../../shell/call.ts";

/** The queries of an hour. */
export interface HourOfQueries {
  /** The beginning in Unix seconds. */
  readonly createdAt: bigint;
  readonly countRequests: bigint;
}

/** The queries of one type, or with one response code. */
export interface SumOfQueries {
  readonly name: string;
  readonly countRequests: bigint;
}

/** The queries of a record; its id is 0 for those that no record responded to. */
export interface RecordOfQueries {
  readonly nsRecordId: bigint;
  readonly countRequests: bigint;
  readonly name: string;
  readonly type: string;
  readonly isDeleted: boolean;
}

export interface Queries {
  readonly hours: readonly HourOfQueries[];
  readonly countRequests: bigint;
  readonly bytes: bigint;
  readonly types: readonly SumOfQueries[];
  readonly codes: readonly SumOfQueries[];
  readonly records: readonly RecordOfQueries[];
}

const HOURS_OF_DOMAIN = "NSRecordHourlyStatService/findLatestNSDomainHourlyStats";
const SUMS_OF_DOMAIN = "NSRecordHourlyStatService/sumNSDomainStats";
export const HOURS_OF_RECORD = "NSRecordHourlyStatService/findLatestNSRecordsHourlyStats";

/** Returns the queries of a domain in the last hours. */
export async function loadQueries(nsDomainId: bigint, hours: number, signal: AbortSignal): Promise<Queries> {
  const request = { nsDomainId, hours };
  const [{ nsDomainHourlyStats }, sums] = await Promise.all([
    callPath(HOURS_OF_DOMAIN, request, signal),
    callPath(SUMS_OF_DOMAIN, request, signal),
  ]);
  return { ...sums as Omit<Queries, "hours">, hours: nsDomainHourlyStats as HourOfQueries[] };
}

/** Returns the queries of a record in the last 24 hours. */
export async function loadRecord(nsRecordId: bigint, signal: AbortSignal): Promise<readonly HourOfQueries[]> {
  const { nsRecordHourlyStats } = await callPath(HOURS_OF_RECORD, { nsRecordId }, signal);
  return nsRecordHourlyStats as HourOfQueries[];
}
