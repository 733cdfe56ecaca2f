import { type Call, callerId, type Clock, distinct, invalid, listField, unixSeconds } from "edgehelm";
import { dayAt, timeOn } from "edgehelm/fields";
import type { Nodes } from "../node/contract.ts";
import type { NodeRegions } from "../node_region/contract.ts";
import { type ForeignRows, uploadTimeField, type UploadTimes, uploadTimes } from "../node_base/contract.ts";
import { type Servers, wasServed } from "../server/contract.ts";
import type { Attacks } from "./attacks.ts";
import type { LateTrafficListener, UserDay } from "./contract.ts";
import { dayField, dayNumber, dayOfNumber, slotAt, timeField } from "./days.ts";
import type { ServerDailyStat } from "./proto/service_server_daily_stat_pb.ts";
import type { DailyRow, SlotRow, StatStore, TotalRow } from "./store.ts";

const MAX_STATS = 10_000;
/** Far below the limit of 64 bits, so that sums do not overflow. */
const MAX_FIGURE = 2n ** 50n;
/** Longer than an upload takes. */
const STORING_SECONDS = 600n;
const FIGURES = [
  "bytes",
  "cachedBytes",
  "countRequests",
  "countCachedRequests",
  "countAttackRequests",
  "attackBytes",
  "countIPs",
] as const;

export interface UploadDeps {
  readonly stats: StatStore;
  readonly servers: Servers;
  readonly nodes: Nodes | undefined;
  readonly regions: NodeRegions | undefined;
  readonly clock: Clock;
  readonly foreign: ForeignRows;
  readonly attacks: Attacks;
  /** The number of days before today for which nodes can upload. */
  readonly pastDays: number;
  readonly lateTraffic: readonly LateTrafficListener[];
}

/** Adds statistics; those of servers about which the caller may not report are dropped. */
export async function upload(
  call: Call,
  { stats, servers, nodes, regions, clock, foreign, attacks, pastDays, lateTraffic }: UploadDeps,
  uploaded: readonly ServerDailyStat[],
): Promise<void> {
  const times = uploadTimes(call, clock, pastDays);
  const checked = listField(
    "stats",
    uploaded,
    (field, stat) => ({ stat, at: timeOf(field, stat, clock, times), field }),
    {
      max: MAX_STATS,
    },
  );
  for (const { stat, field } of checked) checkFigures(field, stat);
  const served = await servers.servedByCaller(call, distinct(uploaded.map(({ serverId }) => serverId)));
  const ownRegionId = await regionOfCaller(call, nodes);
  if (ownRegionId === undefined) await requireRegions(call, regions, uploaded);
  const daily = new Map<string, DailyRow>();
  const slots = new Map<string, SlotRow>();
  const totals = new Map<string, TotalRow>();
  let dropped = 0;
  for (const { stat, at } of checked) {
    const server = served.get(stat.serverId);
    if (!wasServed(server, at)) {
      dropped++;
      continue;
    }
    const { serverId, bytes, cachedBytes, countRequests, countCachedRequests } = stat;
    const nodeRegionId = ownRegionId ?? stat.nodeRegionId;
    const { day, slot } = slotAt(clock, at);
    const key = { serverId, day: dayNumber(day), userId: server.userId };
    const figures = { bytes, cachedBytes, countRequests, countCachedRequests };
    const { countAttackRequests, attackBytes, countIPs } = stat;
    add(daily, `${serverId} ${key.day} ${nodeRegionId}`, {
      ...key,
      nodeRegionId,
      ...figures,
      ...{ countAttackRequests, attackBytes, countIPs },
    });
    const time = { day: key.day, slot: BigInt(slot) };
    add(slots, `${serverId} ${key.day} ${slot}`, { ...key, ...time, ...figures, countAttackRequests });
    add(totals, `${key.day} ${slot}`, { ...time, ...figures, countAttackRequests, attackBytes });
  }
  foreign.dropped(call, dropped);
  if (daily.size === 0) return;
  await stats.add(call, { daily: [...daily.values()], slots: [...slots.values()], totals: [...totals.values()] });
  await attacks.uploaded(call, [...slots.values()], served);
  const late = endedDays([...daily.values()], clock);
  if (late.length > 0) { for (const listener of lateTraffic) await listener.arrived(call, late); }
}

/** Returns the days with traffic that have ended, or end while this upload is stored. */
function endedDays(rows: readonly DailyRow[], clock: Clock): UserDay[] {
  const soon = dayNumber(dayAt(clock, unixSeconds(clock) + STORING_SECONDS));
  const ended = rows.filter(({ day, bytes }) => day < soon && bytes > 0n);
  const days = new Map(ended.map(({ userId, day }) => [`${userId} ${day}`, { userId, day: dayOfNumber(day) }]));
  return [...days.values()];
}

/** Refuses regions that do not exist, to which an admin attributes statistics. */
async function requireRegions(
  call: Call,
  regions: NodeRegions | undefined,
  stats: readonly ServerDailyStat[],
): Promise<void> {
  const known = new Set([0n]);
  for (const [index, { nodeRegionId }] of stats.entries()) {
    if (known.has(nodeRegionId)) continue;
    await regions?.requireRegion(call, `stats[${index}].nodeRegionId`, nodeRegionId);
    known.add(nodeRegionId);
  }
}

/** Returns the region of the calling node, 0 if it has none; undefined if the caller is not a node. */
async function regionOfCaller(call: Call, nodes: Nodes | undefined): Promise<bigint | undefined> {
  if (call.caller.role !== "node") return undefined;
  const id = callerId(call.caller);
  return (await nodes?.summaries(call, [id]))?.get(id)?.nodeRegionId ?? 0n;
}

function add<Row extends DailyRow | SlotRow | TotalRow>(rows: Map<string, Row>, key: string, row: Row): void {
  const existing = rows.get(key) as Record<string, bigint> | undefined;
  if (existing === undefined) return void rows.set(key, row);
  for (const figure of FIGURES) {
    if (!(figure in row)) continue;
    const more = (row as unknown as Record<string, bigint>)[figure]!;
    existing[figure] = figure === "countIPs"
      ? (more > existing[figure]! ? more : existing[figure]!)
      : existing[figure]! + more;
  }
}

function timeOf(
  field: string,
  { createdAt, day, timeFrom }: ServerDailyStat,
  clock: Clock,
  times: UploadTimes,
): number {
  if (createdAt !== 0n) return uploadTimeField(`${field}.createdAt`, Number(createdAt), createdAt, times);
  if (day === "") return Number(unixSeconds(clock));
  const second = timeFrom === "" ? 0 : timeField(`${field}.timeFrom`, timeFrom);
  const at = timeOn(clock, dayField(`${field}.day`, day), second);
  return uploadTimeField(`${field}.day`, at, day, times);
}

function checkFigures(field: string, stat: ServerDailyStat): void {
  for (const figure of FIGURES) {
    const value = stat[figure];
    if (value < 0n || value > MAX_FIGURE) {
      throw invalid(`${field}.${figure}`, `must be 0 to ${MAX_FIGURE}, got ${value}`);
    }
  }
  if (stat.nodeRegionId < 0n) throw invalid(`${field}.nodeRegionId`, `must not be negative, got ${stat.nodeRegionId}`);
}
