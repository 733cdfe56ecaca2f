import { type Clock, invalid } from "edgehelm";
import type { ServerDailyStats } from "./contract.ts";
import { dayOfNumber, SLOT_SECONDS, slotsBetween } from "./days.ts";
import { samplesFrom } from "./retention.ts";
import type { StatStore } from "./store.ts";

/** Implements the contract on top of the store. */
export function statsContract(stats: StatStore, clock: Clock): ServerDailyStats {
  const days = (dayFrom: string, dayTo: string) => ({ dayFrom: BigInt(dayFrom), dayTo: BigInt(dayTo) });
  return {
    samplesFrom: () => String(samplesFrom(clock)),
    async usersWithTraffic(call, dayFrom, dayTo, afterUserId, limit) {
      const rows = await stats.usersWithTraffic.all(call, { ...days(dayFrom, dayTo), afterUserId, limit });
      return rows.map(({ id }) => id!);
    },
    traffic: (call, userIds, dayFrom, dayTo) => stats.traffic.all(call, { userIds, ...days(dayFrom, dayTo) }),
    async bandwidth(call, userIds, dayFrom, dayTo, percentile) {
      if (!(percentile > 0 && percentile <= 100)) {
        throw invalid("percentile", `must be greater than 0 and at most 100, got ${percentile}`);
      }
      const range = { userIds, ...days(dayFrom, dayTo) };
      const samples = slotsBetween(clock, dayOfNumber(dayFrom), dayOfNumber(dayTo));
      // intervals without a row had no traffic: they count as the lowest samples
      const rank = samples - Math.ceil(samples * percentile / 100) + 1;
      // a slow scan: it runs outside the event loop, unless it must see uncommitted changes of a transaction
      const ranked = await stats.ranked[call.inTransaction ? "all" : "scan"](call, { ...range, rank });
      const ranks = new Map(ranked.map((row) => [row.serverId, row.bytes]));
      const servers = await stats.servers.all(call, range);
      return new Map(servers.map(({ serverId }) => [serverId, (ranks.get(serverId) ?? 0n) / BigInt(SLOT_SECONDS)]));
    },
  };
}
