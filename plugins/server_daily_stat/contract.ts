import { type Call, type Contract, defineContract } from "edgehelm";

/** What one server sent in one region. */
export interface ServerTraffic {
  readonly userId: bigint;
  readonly serverId: bigint;
  /** 0 when the node's region is not known. */
  readonly regionId: bigint;
  readonly bytes: bigint;
}

/** What bills are made from. Days are `YYYYMMDD`, both ends included. */
export interface ServerDailyStats {
  /** Users whose servers sent anything, ascending, after `afterUserId`. */
  usersWithTraffic(
    call: Call,
    dayFrom: string,
    dayTo: string,
    afterUserId: bigint,
    limit: number,
  ): Promise<readonly bigint[]>;
  /** What the servers of these users sent, summed by server and region. */
  traffic(call: Call, userIds: readonly bigint[], dayFrom: string, dayTo: string): Promise<readonly ServerTraffic[]>;
  /**
   * The bandwidth that each server of these users stays under for `percentile` percent of all five-minute samples, in
   * bytes a second, by server id.
   */
  bandwidth(
    call: Call,
    userIds: readonly bigint[],
    dayFrom: string,
    dayTo: string,
    percentile: number,
  ): Promise<ReadonlyMap<bigint, bigint>>;
}
export const ServerDailyStats: Contract<ServerDailyStats> = defineContract("server_daily_stat");
