import { type Call, distinct } from "edgehelm";
import type { ServerTraffic } from "../server_daily_stat/contract.ts";
import type { UserTrafficPackages } from "../user_traffic_package/contract.ts";
import type { Range } from "./periods.ts";

/** The kinds of prices that depend on the amount of traffic. */
const BY_AMOUNT = ["traffic", "region"];

/** Returns the traffic that is left to charge after the packages of the users are used. */
export async function withoutPackages(
  call: Call,
  packages: UserTrafficPackages | undefined,
  traffic: readonly ServerTraffic[],
  range: Range,
  priceTypeOf: (row: ServerTraffic) => string,
): Promise<readonly ServerTraffic[]> {
  const charged = Map.groupBy(traffic.filter((row) => BY_AMOUNT.includes(priceTypeOf(row))), ({ userId }) => userId);
  const servers = [...charged].map(([userId, rows]) => [userId, distinct(rows.map((row) => row.serverId))] as const);
  const covered = await packages?.cover(call, range, new Map(servers)) ?? [];
  if (covered.length === 0) return traffic;
  const bytesOf = new Map(covered.map(({ serverId, regionId, bytes }) => [`${serverId} ${regionId}`, bytes]));
  return traffic.map((row) => ({ ...row, bytes: row.bytes - (bytesOf.get(`${row.serverId} ${row.regionId}`) ?? 0n) }));
}
