import { callPath } from "../../../shell/call.ts";
import { mayCall } from "../../../shell/state.ts";

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

/** The queries of a record; without a name if it is no more. */
export interface RecordOfQueries {
  readonly nsRecordId: bigint;
  readonly countRequests: bigint;
  readonly name?: string;
  readonly type?: string;
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
const RECORD = "NSRecordService/findNSRecord";
/** The records of which names are looked up. */
const MAX_RECORDS = 10;

/** Returns the queries of a domain in the last hours. */
export async function loadQueries(nsDomainId: bigint, hours: number, signal: AbortSignal): Promise<Queries> {
  const request = { nsDomainId, hours };
  const [{ nsDomainHourlyStats }, sums] = await Promise.all([
    callPath(HOURS_OF_DOMAIN, request, signal),
    callPath(SUMS_OF_DOMAIN, request, signal),
  ]);
  const { countRequests, bytes, types, codes, records } = sums as Omit<Queries, "hours">;
  const named = await Promise.all(records.slice(0, MAX_RECORDS).map((record) => withName(record, signal)));
  return { ...{ countRequests, bytes, types, codes }, hours: nsDomainHourlyStats as HourOfQueries[], records: named };
}

/** Returns the queries of a record in the last 24 hours. */
export async function loadRecord(nsRecordId: bigint, signal: AbortSignal): Promise<readonly HourOfQueries[]> {
  const { nsRecordHourlyStats } = await callPath(HOURS_OF_RECORD, { nsRecordId }, signal);
  return nsRecordHourlyStats as HourOfQueries[];
}

async function withName(record: RecordOfQueries, signal: AbortSignal): Promise<RecordOfQueries> {
  const { nsRecordId } = record;
  if (nsRecordId === 0n || !mayCall(RECORD)) return record;
  try {
    const { nsRecord } = await callPath(RECORD, { nsRecordId }, signal);
    const { name, type } = nsRecord as { name: string; type: string };
    return { ...record, name, type };
  } catch (error) {
    if (signal.aborted) throw error;
    // a record that was deleted
    return record;
  }
}
