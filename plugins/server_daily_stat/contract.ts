import { type Call, type Contract, defineContract } from "edgehelm";

/** The traffic of a server in a region. */
export interface ServerTraffic {
  readonly userId: bigint;
  readonly serverId: bigint;
  /** 0 if the region of the node is unknown. */
  readonly regionId: bigint;
  readonly bytes: bigint;
}

/** Provides traffic and bandwidth for billing. Days are `YYYYMMDD`; ranges include both ends. */
export interface ServerDailyStats {
  /** Returns up to `limit` users whose servers had traffic, in ascending order after `afterUserId`. */
  usersWithTraffic(
    call: Call,
    dayFrom: string,
    dayTo: string,
    afterUserId: bigint,
    limit: number,
  ): Promise<readonly bigint[]>;
  /** Returns the traffic of the servers of the users, summed by server and region. */
  traffic(call: Call, userIds: readonly bigint[], dayFrom: string, dayTo: string): Promise<readonly ServerTraffic[]>;
  /**
   * Returns the bandwidth that `percentile` percent of all five-minute samples do not exceed, in bytes per second, for
   * each server of the users, by server id.
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
