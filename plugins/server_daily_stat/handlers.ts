import { type Call, type Handlers, idField, invalid, ownerOf, unixSeconds } from "edgehelm";
import {
  dayField,
  daysBetween,
  dayText,
  lastPeriods,
  monthField,
  SLOT_SECONDS,
  SLOTS_PER_DAY,
  spanField,
  timeField,
  timeText,
} from "./days.ts";
import type { ServerDailyStatService } from "./proto/service_server_daily_stat_pb.ts";
import type { Range } from "./store.ts";
import { upload, type UploadDeps } from "./upload.ts";

const MAX_DAYS = 366;
const DAY = 86_400;
const HOUR = 3600;
const NO_TRAFFIC = { bytes: 0n, cachedBytes: 0n, countRequests: 0n, countCachedRequests: 0n };

export function serverDailyStatHandlers(
  deps: UploadDeps,
): Handlers<typeof ServerDailyStatService> {
  const { stats, clock } = deps;
  const today = () => BigInt(dayText(Number(unixSeconds(clock))));

  function rangeOf(
    call: Call,
    request: { serverId: bigint; userId?: bigint; nodeRegionId?: bigint },
    days: { dayFrom: bigint; dayTo: bigint },
  ): Range {
    const { serverId, nodeRegionId = 0n } = request;
    const userId = ownerOf(call, request.userId ?? 0n);
    if (serverId === 0n && userId === 0n) throw invalid("serverId", "a server or a user is required");
    return { serverId, userId, nodeRegionId, ...days };
  }

  async function daysOf(call: Call, range: Range) {
    return await (range.serverId === 0n ? stats.daysOfUser : stats.daysOfServer).all(call, range);
  }

  async function sumOf(call: Call, range: Range) {
    const { serverId, userId, nodeRegionId } = range;
    const sum = await (serverId === 0n ? stats.sumOfUser : stats.sumOfServer).one(call, range);
    return { ...sum, serverId, userId, nodeRegionId };
  }

  /** Returns the traffic of a server in periods of `seconds` each, including empty ones. */
  async function periodsOf(call: Call, serverId: bigint, seconds: number, count: number) {
    const starts = lastPeriods(Number(unixSeconds(clock)), seconds, count);
    const [first, last] = [starts[0]!, starts.at(-1)! + seconds - 1];
    const slotAt = (at: number) => BigInt(Math.floor(at / SLOT_SECONDS) % SLOTS_PER_DAY);
    const days = { dayFrom: BigInt(dayText(first)), dayTo: BigInt(dayText(last)) };
    const range = rangeOf(call, { serverId: idField("serverId", serverId) }, days);
    const rows = await stats.slots.all(call, { ...range, slotFrom: slotAt(first), slotTo: slotAt(last) });
    const found = new Map(starts.map((start) => [start, { ...NO_TRAFFIC }]));
    for (const row of rows) {
      const at = dayField("day", `${row.day}`) + Number(row.slot) * SLOT_SECONDS;
      const sum = found.get(Math.floor(at / seconds) * seconds)!;
      for (const key of Object.keys(NO_TRAFFIC) as (keyof typeof NO_TRAFFIC)[]) sum[key] += row[key];
    }
    return [...found].map(([start, figures]) => ({ ...figures, at: dayText(start) + timeText(start) }));
  }

  return {
    async uploadServerDailyStats(request, call) {
      await upload(call, deps, request.stats);
      return {};
    },

    async findLatestServerHourlyStats({ serverId, hours }, call) {
      const count = spanField("hours", hours, { min: 1, max: 744, defaultValue: 24 });
      const periods = await periodsOf(call, serverId, HOUR, count);
      return { stats: periods.map(({ at, ...figures }) => ({ ...figures, hour: at.slice(0, 10) })) };
    },

    async findLatestServerMinutelyStats({ serverId, minutes }, call) {
      const count = Math.ceil(spanField("minutes", minutes, { min: 5, max: 1440, defaultValue: 60 }) / 5);
      const periods = await periodsOf(call, serverId, SLOT_SECONDS, count);
      return { stats: periods.map(({ at, ...figures }) => ({ ...figures, minute: at.slice(0, 12) })) };
    },

    async findServer5MinutelyStatsWithDay(request, call) {
      const day = dayText(dayField("day", request.day));
      const from = request.timeFrom === "" ? 0 : timeField("timeFrom", request.timeFrom);
      const to = request.timeTo === "" ? DAY - 1 : timeField("timeTo", request.timeTo);
      const days = { dayFrom: BigInt(day), dayTo: BigInt(day) };
      const range = rangeOf(call, { serverId: idField("serverId", request.serverId) }, days);
      const slots = {
        slotFrom: BigInt(Math.floor(from / SLOT_SECONDS)),
        slotTo: BigInt(Math.floor(to / SLOT_SECONDS)),
      };
      const rows = await stats.slots.all(call, { ...range, ...slots });
      return {
        stats: rows.map(({ slot, ...figures }) => {
          const start = Number(slot) * SLOT_SECONDS;
          return { ...figures, day, timeFrom: timeText(start), timeTo: timeText(start + SLOT_SECONDS - 1) };
        }),
      };
    },

    async findLatestServerDailyStats({ serverId, days, nodeRegionId }, call) {
      const count = spanField("days", days, { min: 1, max: MAX_DAYS, defaultValue: 30 });
      const texts = lastPeriods(Number(unixSeconds(clock)), DAY, count).map(dayText);
      const span = { dayFrom: BigInt(texts[0]!), dayTo: BigInt(texts.at(-1)!) };
      const rows = await daysOf(call, rangeOf(call, { serverId: idField("serverId", serverId), nodeRegionId }, span));
      const found = new Map(rows.map((row) => [`${row.day}`, row]));
      return { stats: texts.map((day) => ({ ...(found.get(day) ?? NO_TRAFFIC), day })) };
    },

    async findServerDailyStatsBetweenDays(request, call) {
      const rows = await daysOf(call, rangeOf(call, request, spanOf(request)));
      const whole = { timeFrom: "000000", timeTo: "235959", timeAt: "000000" };
      return { stats: rows.map((row) => ({ ...row, ...whole, day: `${row.day}` })) };
    },

    async sumCurrentServerDailyStats({ serverId }, call) {
      const range = rangeOf(call, { serverId: idField("serverId", serverId) }, { dayFrom: today(), dayTo: today() });
      return { serverDailyStat: { ...await sumOf(call, range), day: `${today()}` } };
    },

    async sumServerDailyStats(request, call) {
      const { day } = request;
      const span = day === "" ? spanOf(request) : spanOf({ dayFrom: day, dayTo: day });
      return { serverDailyStat: { ...await sumOf(call, rangeOf(call, request, span)), day } };
    },

    async sumServerMonthlyStats({ serverId, month }, call) {
      const range = rangeOf(call, { serverId: idField("serverId", serverId) }, monthField("month", month));
      return { serverMonthlyStat: await sumOf(call, range) };
    },
  };
}

function spanOf(request: { dayFrom: string; dayTo: string }): { dayFrom: bigint; dayTo: bigint } {
  const days = daysBetween(request.dayFrom, request.dayTo);
  if (days < 1 || days > MAX_DAYS) {
    throw invalid("dayTo", `must be at most ${MAX_DAYS} days from dayFrom and not before it`);
  }
  return {
    dayFrom: BigInt(request.dayFrom.replaceAll("-", "")),
    dayTo: BigInt(request.dayTo.replaceAll("-", "")),
  };
}
