import { type Call, type Clock, type Handlers, idField, invalid, ownerOf, unixSeconds } from "edgehelm";
import { addDays, compactDay, today } from "edgehelm/fields";
import {
  dayField,
  dayNumber,
  dayOfNumber,
  daysBetween,
  HALF_HOUR,
  hourText,
  lastPeriods,
  minuteText,
  monthField,
  SLOT_SECONDS,
  slotAt,
  slotStart,
  spanField,
  timeField,
  timeText,
} from "./days.ts";
import type { ServerDailyStatService } from "./proto/service_server_daily_stat_pb.ts";
import type { Range } from "./store.ts";
import { upload, type UploadDeps } from "./upload.ts";

const MAX_DAYS = 366;
const DAY = 86_400;
/** More than the slots of any day. */
const MAX_SLOT = 1000n;
const NO_TRAFFIC = { bytes: 0n, cachedBytes: 0n, countRequests: 0n, countCachedRequests: 0n };

export function serverDailyStatHandlers(
  deps: UploadDeps,
): Handlers<typeof ServerDailyStatService> {
  const { stats, clock } = deps;

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

  /** Returns the traffic of a server in the last periods, including empty ones, by the text of the period. */
  async function periodsOf(
    call: Call,
    serverId: bigint,
    { step, count, textOf }: { step: number; count: number; textOf: (clock: Clock, seconds: number) => string },
  ) {
    const now = Number(unixSeconds(clock));
    const { texts, from } = lastPeriods(now, step, count, (seconds) => textOf(clock, seconds));
    const [first, last] = [slotAt(clock, from), slotAt(clock, now)];
    const days = { dayFrom: dayNumber(first.day), dayTo: dayNumber(last.day) };
    const range = rangeOf(call, { serverId: idField("serverId", serverId) }, days);
    const slots = { slotFrom: BigInt(first.slot), slotTo: BigInt(last.slot) };
    const found = new Map(texts.map((text) => [text, { ...NO_TRAFFIC }]));
    for (const row of await stats.slots.all(call, { ...range, ...slots })) {
      const at = slotStart(clock, { day: dayOfNumber(row.day), slot: Number(row.slot) });
      const sum = found.get(textOf(clock, at));
      if (sum === undefined) continue;
      for (const key of Object.keys(NO_TRAFFIC) as (keyof typeof NO_TRAFFIC)[]) sum[key] += row[key];
    }
    return [...found];
  }

  return {
    async uploadServerDailyStats(request, call) {
      await upload(call, deps, request.stats);
      return {};
    },

    async findLatestServerHourlyStats({ serverId, hours }, call) {
      const count = spanField("hours", hours, { min: 1, max: 744, defaultValue: 24 });
      const periods = await periodsOf(call, serverId, { step: HALF_HOUR, count, textOf: hourText });
      return { stats: periods.map(([hour, figures]) => ({ ...figures, hour })) };
    },

    async findLatestServerMinutelyStats({ serverId, minutes }, call) {
      const count = Math.ceil(spanField("minutes", minutes, { min: 5, max: 1440, defaultValue: 60 }) / 5);
      const periods = await periodsOf(call, serverId, { step: SLOT_SECONDS, count, textOf: minuteText });
      return { stats: periods.map(([minute, figures]) => ({ ...figures, minute })) };
    },

    async findServer5MinutelyStatsWithDay(request, call) {
      const day = dayField("day", request.day);
      const from = request.timeFrom === "" ? 0 : timeField("timeFrom", request.timeFrom);
      const to = request.timeTo === "" ? DAY - 1 : timeField("timeTo", request.timeTo);
      const days = { dayFrom: dayNumber(day), dayTo: dayNumber(day) };
      const range = rangeOf(call, { serverId: idField("serverId", request.serverId) }, days);
      const rows = await stats.slots.all(call, { ...range, slotFrom: 0n, slotTo: MAX_SLOT });
      return {
        stats: rows.flatMap(({ slot, ...figures }) => {
          const start = slotStart(clock, { day, slot: Number(slot) });
          const timeFrom = timeText(clock, start);
          const shown = timeField("timeFrom", timeFrom);
          if (shown + SLOT_SECONDS <= from || shown > to) return [];
          return [{ ...figures, day: compactDay(day), timeFrom, timeTo: timeText(clock, start + SLOT_SECONDS - 1) }];
        }),
      };
    },

    async findLatestServerDailyStats({ serverId, days, nodeRegionId }, call) {
      const count = spanField("days", days, { min: 1, max: MAX_DAYS, defaultValue: 30 });
      const last = today(clock);
      const texts = Array.from({ length: count }, (_, index) => compactDay(addDays(last, index + 1 - count)));
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
      const day = dayNumber(today(clock));
      const range = rangeOf(call, { serverId: idField("serverId", serverId) }, { dayFrom: day, dayTo: day });
      return { serverDailyStat: { ...await sumOf(call, range), day: `${day}` } };
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
  const [dayTo, dayFrom] = [dayField("dayTo", request.dayTo), dayField("dayFrom", request.dayFrom)];
  const days = daysBetween(dayFrom, dayTo);
  if (days < 1 || days > MAX_DAYS) {
    throw invalid("dayTo", `must be at most ${MAX_DAYS} days from dayFrom and not before it`);
  }
  return { dayFrom: dayNumber(dayFrom), dayTo: dayNumber(dayTo) };
}
