import { type Call, callerId, type Clock, distinct, invalid, listField, unixSeconds } from "edgehelm";
import type { Nodes } from "../node/contract.ts";
import type { Servers } from "../server/contract.ts";
import { dayField, dayText, SLOT_SECONDS, SLOTS_PER_DAY, timeField } from "./days.ts";
import type { ServerDailyStat } from "./proto/service_server_daily_stat_pb.ts";
import type { DailyRow, SlotRow, StatStore } from "./store.ts";

const MAX_STATS = 10_000;
/** Far below what 64 bits hold, so that no sum of them can run over. */
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

/** Adds what nodes counted; figures of servers that are gone are dropped. */
export async function upload(
  call: Call,
  { stats, servers, nodes, clock }: UploadDeps,
  sent: readonly ServerDailyStat[],
): Promise<void> {
  const now = Number(unixSeconds(clock));
  const checked = listField("stats", sent, (field, one) => ({ one, at: momentOf(field, one, now), field }), {
    max: MAX_STATS,
  });
  for (const { one, field } of checked) checkFigures(field, one);
  const owners = await servers.summaries(call, distinct(sent.map(({ serverId }) => serverId)));
  const ownRegionId = await regionOfCaller(call, nodes);
  const daily = new Map<string, DailyRow>();
  const slots = new Map<string, SlotRow>();
  for (const { one, at } of checked) {
    const owner = owners.get(one.serverId);
    if (owner === undefined) continue;
    const { serverId, bytes, cachedBytes, countRequests, countCachedRequests } = one;
    const nodeRegionId = one.nodeRegionId || ownRegionId;
    const key = { serverId, day: BigInt(dayText(at)), userId: owner.userId };
    const figures = { bytes, cachedBytes, countRequests, countCachedRequests };
    const { countAttackRequests, attackBytes, countIPs } = one;
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

/** The region that a node stands in; 0 when it has none, and for everybody else. */
async function regionOfCaller(call: Call, nodes: Nodes | undefined): Promise<bigint> {
  if (call.caller.role !== "node") return 0n;
  const id = callerId(call.caller);
  return (await nodes?.summaries(call, [id]))?.get(id)?.nodeRegionId ?? 0n;
}

function add<Row extends DailyRow | SlotRow>(rows: Map<string, Row>, key: string, row: Row): void {
  const known = rows.get(key) as Record<string, bigint> | undefined;
  if (known === undefined) return void rows.set(key, row);
  for (const figure of FIGURES) {
    if (!(figure in row)) continue;
    const more = (row as unknown as Record<string, bigint>)[figure]!;
    known[figure] = figure === "countIPs" ? (more > known[figure]! ? more : known[figure]!) : known[figure]! + more;
  }
}

function momentOf(field: string, { createdAt, day, timeFrom }: ServerDailyStat, now: number): number {
  const at = createdAt !== 0n
    ? Number(createdAt)
    : day === ""
    ? now
    : dayField(`${field}.day`, day) + (timeFrom === "" ? 0 : timeField(`${field}.timeFrom`, timeFrom));
  if (at > 0 && at <= now + MAX_CLOCK_SKEW) return at;
  throw invalid(`${field}.createdAt`, `must not lie in the future, got ${createdAt || day}`);
}

function checkFigures(field: string, one: ServerDailyStat): void {
  for (const figure of FIGURES) {
    const value = one[figure];
    if (value < 0n || value > MAX_FIGURE) {
      throw invalid(`${field}.${figure}`, `must be 0 to ${MAX_FIGURE}, got ${value}`);
    }
  }
  if (one.nodeRegionId < 0n) throw invalid(`${field}.nodeRegionId`, `must not be negative, got ${one.nodeRegionId}`);
}
