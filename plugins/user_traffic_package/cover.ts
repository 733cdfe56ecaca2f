import type { Call } from "edgehelm";
import { addDays, compactDay } from "edgehelm/fields";
import type { ServerDailyStats, ServerTraffic } from "../server_daily_stat/contract.ts";
import type { BilledDays, CoveredTraffic, UserTrafficPackages } from "./contract.ts";
import type { UserTrafficPackageRow, UserTrafficPackageStore } from "./store.ts";

/** A package while a range is billed. */
interface Supply {
  readonly row: UserTrafficPackageRow;
  /** The bytes that earlier calls for the range used. */
  readonly drawn: bigint;
  /** The bytes that are left, without those of earlier calls for the range. */
  available: bigint;
}

/** Implements the contract. */
export function packageCover(
  packages: UserTrafficPackageStore,
  stats: ServerDailyStats | undefined,
): UserTrafficPackages {
  async function coverUser(call: Call, supplies: readonly Supply[], days: BilledDays, servers: readonly bigint[]) {
    const [{ row: { userId } }] = supplies as [Supply];
    const isCharged = new Set(servers);
    const covered = new Map<string, { serverId: bigint; regionId: bigint; bytes: bigint }>();
    for (const part of partsOf(days, supplies.map(({ row }) => row))) {
      const valid = supplies.filter(({ row }) => row.dayFrom <= part.from && row.dayTo >= part.to);
      if (valid.length === 0) continue;
      const traffic = await stats?.traffic(call, [userId], compactDay(part.from), compactDay(part.to)) ?? [];
      for (const row of inOrder(traffic.filter(({ serverId }) => isCharged.has(serverId)))) {
        const bytes = draw(valid, row);
        const key = `${row.serverId} ${row.regionId}`;
        const total = (covered.get(key)?.bytes ?? 0n) + bytes;
        if (total > 0n) covered.set(key, { serverId: row.serverId, regionId: row.regionId, bytes: total });
      }
    }
    return [...covered.values()];
  }

  async function store(
    call: Call,
    { row: { id: packageId, usedBytes, totalBytes, state }, drawn, available }: Supply,
    dayFrom: string,
  ) {
    const capacity = state === 1n ? totalBytes - usedBytes + drawn : drawn;
    const bytes = capacity - available;
    if (bytes === drawn) return;
    if (bytes === 0n) await packages.removeDraw.run(call, { packageId, dayFrom });
    else await packages.setDraw.run(call, { packageId, dayFrom, bytes });
    await packages.use.run(call, { id: packageId, bytes: bytes - drawn });
  }

  return {
    async cover(call, days, serversOf) {
      const userIds = [...serversOf.keys()];
      const isNeeded = (await packages.validWithin.first(call, { userIds, ...days })) !== undefined;
      if (!isNeeded) return [];
      return await call.transact(async (inner) => {
        const rows = await packages.validWithin.all(inner, { userIds, ...days });
        const draws = await packages.draws.all(inner, { ids: rows.map(({ id }) => id), dayFrom: days.from });
        const drawnOf = new Map(draws.map(({ packageId, bytes }) => [packageId, bytes]));
        const supplies = rows.map((row) => supplyOf(row, drawnOf.get(row.id) ?? 0n));
        const covered: CoveredTraffic[] = [];
        for (const [userId, own] of Map.groupBy(supplies, ({ row }) => row.userId)) {
          covered.push(...await coverUser(inner, own, days, serversOf.get(userId) ?? []));
        }
        for (const supply of supplies) await store(inner, supply, days.from);
        return covered;
      });
    },
  };
}

/** A deleted package covers no more than what was used of it. */
function supplyOf(row: UserTrafficPackageRow, drawn: bigint): Supply {
  return { row, drawn, available: row.state === 1n ? row.totalBytes - row.usedBytes + drawn : drawn };
}

/** Takes the bytes of a server in a region from packages of the region, in their order. Returns what they cover. */
function draw(supplies: readonly Supply[], { regionId, bytes }: ServerTraffic): bigint {
  let left = bytes;
  for (const supply of supplies) {
    if (supply.row.nodeRegionId !== regionId) continue;
    const taken = supply.available < left ? supply.available : left;
    supply.available -= taken;
    left -= taken;
  }
  return bytes - left;
}

/** Cuts a range where the validity of a package begins or ends, so that each is valid on all days of a part or none. */
function partsOf({ from, to }: BilledDays, rows: readonly UserTrafficPackageRow[]): BilledDays[] {
  const begins = new Set([from]);
  for (const { dayFrom, dayTo } of rows) {
    for (const day of [dayFrom, addDays(dayTo, 1)]) if (day > from && day <= to) begins.add(day);
  }
  const days = [...begins].sort();
  return days.map((day, index) => ({ from: day, to: index + 1 < days.length ? addDays(days[index + 1]!, -1) : to }));
}

/** The order in which servers use packages, so that repeated runs agree. */
function inOrder(traffic: readonly ServerTraffic[]): ServerTraffic[] {
  return traffic.toSorted((a, b) => a.serverId < b.serverId ? -1 : a.serverId > b.serverId ? 1 : 0);
}
