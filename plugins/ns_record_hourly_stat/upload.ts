import { type Call, callerId, type Clock, distinct, invalid, listField, unixSeconds } from "edgehelm";
import { type ForeignRows, uploadTimeField, type UploadTimes, uploadTimes } from "../node_base/contract.ts";
import type { NSDomains } from "../ns_domain/contract.ts";
import type { NSNodes } from "../ns_node/contract.ts";
import type { NSRecords } from "../ns_record/contract.ts";
import { hourAt, hourField, hourStart } from "./hours.ts";
import { codeField, OTHER, typeField } from "./names.ts";
import type {
  NSDomainHourlyStat,
  NSRecordHourlyStat,
  UploadNSRecordHourlyStatsRequest,
} from "./proto/service_ns_record_hourly_stat_pb.ts";
import { type DomainRow, jsonRows, type Kind, MAX_FIGURE, type RecordRow, type StatStore } from "./store.ts";

const MAX_STATS = 10_000;

export interface UploadDeps {
  readonly stats: StatStore;
  readonly domains: NSDomains;
  readonly records: NSRecords;
  readonly nodes: NSNodes;
  readonly clock: Clock;
  readonly foreign: ForeignRows;
  /** The number of days before today for which nodes can upload. */
  readonly pastDays: number;
  readonly maxRowsPerDay: number;
}

/** Adds the queries of the calling node; those of domains that its cluster does not serve are dropped. */
export async function upload(call: Call, deps: UploadDeps, request: UploadNSRecordHourlyStatsRequest): Promise<void> {
  const { stats, clock, foreign, pastDays } = deps;
  const times = uploadTimes(call, clock, pastDays);
  const limit = { max: MAX_STATS };
  const ofRecords = listField("stats", request.stats, (field, stat) => recordStat(field, stat, clock, times), limit);
  const ofDomains = listField(
    "domainStats",
    request.domainStats,
    (field, stat) => domainStat(field, stat, clock, times),
    limit,
  );
  const { uploadId } = request;
  if (!/^[A-Za-z0-9-]{0,64}$/.test(uploadId)) {
    throw invalid("uploadId", `must be at most 64 letters, digits and hyphens, got "${uploadId.slice(0, 80)}"`);
  }
  const own = await ownRows(call, deps, ofRecords, ofDomains, uploadId === "");
  if (uploadId !== "") {
    const note = { nsNodeId: callerId(call.caller), uploadId, createdAt: unixSeconds(clock) };
    if (await stats.noteUpload.first(call, note) === undefined) return;
  }
  foreign.dropped(call, own.dropped);
  const hours = (at: number) => BigInt(hourAt(clock, at));
  const records = merged<RecordRow>(own.records.map(({ at, ...row }) => ({ ...row, hour: hours(at) })));
  const domains = merged<DomainRow>(own.domains.map(({ at, ...row }) => ({ ...row, hour: hours(at) })));
  await stats.add(call, "nsRecordHourlyStats", await bounded(call, deps, "nsRecordHourlyStats", records));
  await stats.add(call, "nsDomainHourlyStats", await bounded(call, deps, "nsDomainHourlyStats", domains));
}

type Timed<Row> = Omit<Row, "hour"> & { readonly at: number };
type RecordStat = Timed<RecordRow> & { readonly nsClusterId: bigint; readonly nsNodeId: bigint };

/** Returns the rows about domains that the node's cluster serves, and about their records. */
async function ownRows(
  call: Call,
  { domains, records, nodes }: UploadDeps,
  ofRecords: readonly RecordStat[],
  ofDomains: readonly Timed<DomainRow>[],
  isUnnamed: boolean,
) {
  const [nsNodeId, nsClusterId] = [callerId(call.caller), await nodes.followedCluster(call)];
  const places = await records.places(
    call,
    distinct(ofRecords.map((stat) => stat.nsRecordId).filter((id) => id > 0n)),
  );
  const named = ofRecords.flatMap(({ nsClusterId: cluster, nsNodeId: node, ...row }) => {
    if (![0n, nsClusterId].includes(cluster) || ![0n, nsNodeId].includes(node)) return [];
    const nsDomainId = row.nsRecordId === 0n ? row.nsDomainId : places.get(row.nsRecordId)?.nsDomainId;
    return nsDomainId === undefined || ![0n, nsDomainId].includes(row.nsDomainId) ? [] : [{ ...row, nsDomainId }];
  });
  const ids = distinct([...named, ...ofDomains].map((row) => row.nsDomainId));
  const found = await domains.summaries(call, ids);
  const isServed = ({ nsDomainId }: { nsDomainId: bigint }) => found.get(nsDomainId)?.nsClusterId === nsClusterId;
  const [kept, keptOfDomains] = [named.filter(isServed), ofDomains.filter(isServed)];
  const dropped = ofRecords.length - kept.length + ofDomains.length - keptOfDomains.length;
  const derived = ofDomains.length > 0 || !isUnnamed
    ? []
    : kept.map(({ nsRecordId: _, ...row }) => ({ ...row, ...UNNAMED }));
  return { records: kept, domains: [...keptOfDomains, ...derived], dropped };
}

const UNNAMED = { questionType: "", responseCode: "" };

/** Counts what would be new rows of a day that is full for the rest of their domains. */
async function bounded<Row extends RecordRow | DomainRow>(
  call: Call,
  { stats, maxRowsPerDay }: UploadDeps,
  kind: Kind,
  rows: readonly Row[],
): Promise<Row[]> {
  const days = await stats.days.all(call, { kind, days: distinct(rows.map(({ hour }) => hour / 100n)) });
  const full = new Set(days.filter(({ n }) => n >= BigInt(maxRowsPerDay)).map(({ day }) => day));
  const beyond = rows.filter(({ hour }) => full.has(hour / 100n));
  if (beyond.length === 0) return [...rows];
  const known = await stats[kind === "nsRecordHourlyStats" ? "knownRecords" : "knownDomains"].all(call, {
    rows: jsonRows(beyond),
  });
  const keys = new Set(known.map(keyOf));
  const rest = kind === "nsRecordHourlyStats" ? { nsRecordId: 0n } : { questionType: OTHER, responseCode: OTHER };
  return merged(rows.map((row) => full.has(row.hour / 100n) && !keys.has(keyOf(row)) ? { ...row, ...rest } : row));
}

function merged<Row extends RecordRow | DomainRow>(rows: readonly Row[]): Row[] {
  const found = new Map<string, Row>();
  for (const row of rows) {
    const { bytes = 0n, countRequests = 0n } = found.get(keyOf(row)) ?? {};
    found.set(keyOf(row), {
      ...row,
      bytes: sum(bytes, row.bytes),
      countRequests: sum(countRequests, row.countRequests),
    });
  }
  return [...found.values()];
}

function sum(a: bigint, b: bigint): bigint {
  return a + b > MAX_FIGURE ? MAX_FIGURE : a + b;
}

function keyOf(row: Partial<RecordRow & DomainRow>): string {
  const { nsDomainId, nsRecordId, hour, questionType, responseCode } = row;
  return `${nsDomainId} ${nsRecordId} ${hour} ${questionType} ${responseCode}`;
}

function recordStat(field: string, stat: NSRecordHourlyStat, clock: Clock, times: UploadTimes): RecordStat {
  const { nsClusterId, nsNodeId, nsDomainId, nsRecordId, bytes, countRequests, createdAt, hour } = stat;
  for (const [name, id] of Object.entries({ nsClusterId, nsNodeId, nsDomainId, nsRecordId })) {
    if (id < 0n) throw invalid(`${field}.${name}`, `must not be negative, got ${id}`);
  }
  checkFigures(field, stat);
  const at = createdAt === 0n && hour !== ""
    ? uploadTimeField(`${field}.hour`, hourStart(clock, hourField(`${field}.hour`, hour)), hour, times)
    : timeField(field, createdAt, clock, times);
  return { nsClusterId, nsNodeId, nsDomainId, nsRecordId, bytes, countRequests, at };
}

function domainStat(field: string, stat: NSDomainHourlyStat, clock: Clock, times: UploadTimes): Timed<DomainRow> {
  const { nsDomainId, bytes, countRequests } = stat;
  if (nsDomainId <= 0n) throw invalid(`${field}.nsDomainId`, `must be greater than 0, got ${nsDomainId}`);
  checkFigures(field, stat);
  return {
    ...{ nsDomainId, bytes, countRequests },
    questionType: typeField(`${field}.questionType`, stat.questionType),
    responseCode: codeField(`${field}.responseCode`, stat.responseCode),
    at: timeField(field, stat.createdAt, clock, times),
  };
}

function timeField(field: string, createdAt: bigint, clock: Clock, times: UploadTimes): number {
  if (createdAt === 0n) return Number(unixSeconds(clock));
  return uploadTimeField(`${field}.createdAt`, Number(createdAt), createdAt, times);
}

function checkFigures(field: string, figures: Record<"bytes" | "countRequests", bigint>): void {
  for (const name of ["bytes", "countRequests"] as const) {
    const value = figures[name];
    if (value < 0n || value > MAX_FIGURE) throw invalid(`${field}.${name}`, `must be 0 to ${MAX_FIGURE}, got ${value}`);
  }
}
