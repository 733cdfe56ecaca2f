import { type Call, callerId, type Clock, distinct, invalid, listField, unixSeconds } from "edgehelm";
import type { Nodes } from "../node/contract.ts";
import type { Servers } from "../server/contract.ts";
import { dayField, dayText, SLOT_SECONDS, SLOTS_PER_DAY, timeField } from "./days.ts";
import type { ServerDailyStat } from "./proto/service_server_daily_stat_pb.ts";
import type { DailyRow, SlotRow, StatStore } from "./store.ts";

const MAX_STATS = 10_000;
/** Far below the limit of 64 bits, so that sums do not overflow. */
const MAX_FIGURE = 2n ** 50n;
const MAX_CLOCK_SKEW = 86_400;
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
  readonly clock: Clock;
}

/** Adds statistics of nodes; those of servers that no longer exist are dropped. */
export async function upload(
  call: Call,
  { stats, servers, nodes, clock }: UploadDeps,
  uploaded: readonly ServerDailyStat[],
): Promise<void> {
  const now = Number(unixSeconds(clock));
  const checked = listField("stats", uploaded, (field, stat) => ({ stat, at: timeOf(field, stat, now), field }), {
    max: MAX_STATS,
  });
  for (const { stat, field } of checked) checkFigures(field, stat);
  const owners = await servers.summaries(call, distinct(uploaded.map(({ serverId }) => serverId)));
  const ownRegionId = await regionOfCaller(call, nodes);
  const daily = new Map<string, DailyRow>();
  const slots = new Map<string, SlotRow>();
  for (const { stat, at } of checked) {
    const owner = owners.get(stat.serverId);
    if (owner === undefined) continue;
    const { serverId, bytes, cachedBytes, countRequests, countCachedRequests } = stat;
    const nodeRegionId = stat.nodeRegionId || ownRegionId;
    const key = { serverId, day: BigInt(dayText(at)), userId: owner.userId };
    const figures = { bytes, cachedBytes, countRequests, countCachedRequests };
    const { countAttackRequests, attackBytes, countIPs } = stat;
    const slot = BigInt(Math.floor(at / SLOT_SECONDS) % SLOTS_PER_DAY);
    add(daily, `${serverId} ${key.day} ${nodeRegionId}`, {
      ...key,
      nodeRegionId,
      ...figures,
      ...{ countAttackRequests, attackBytes, countIPs },
    });
    add(slots, `${serverId} ${key.day} ${slot}`, { ...key, slot, ...figures });
  }
  if (daily.size > 0) await stats.add(call, [...daily.values()], [...slots.values()]);
}

/** Returns the region of the calling node; 0 if it has none or the caller is not a node. */
async function regionOfCaller(call: Call, nodes: Nodes | undefined): Promise<bigint> {
  if (call.caller.role !== "node") return 0n;
  const id = callerId(call.caller);
  return (await nodes?.summaries(call, [id]))?.get(id)?.nodeRegionId ?? 0n;
}

function add<Row extends DailyRow | SlotRow>(rows: Map<string, Row>, key: string, row: Row): void {
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

function timeOf(field: string, { createdAt, day, timeFrom }: ServerDailyStat, now: number): number {
  const at = createdAt !== 0n
    ? Number(createdAt)
    : day === ""
    ? now
    : dayField(`${field}.day`, day) + (timeFrom === "" ? 0 : timeField(`${field}.timeFrom`, timeFrom));
  if (at > 0 && at <= now + MAX_CLOCK_SKEW) return at;
  throw invalid(`${field}.createdAt`, `must not be in the future, got ${createdAt || day}`);
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
