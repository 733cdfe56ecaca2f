import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";

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
  /** Returns the first day whose samples of bandwidth are complete; those of earlier days are being deleted. */
  samplesFrom(): string;
}
export const ServerDailyStats: Contract<ServerDailyStats> = defineContract("server_daily_stat");

/** A day of a user, such as 2026-01-31. */
export interface UserDay {
  readonly userId: bigint;
  readonly day: string;
}

/** A listener for traffic of days that have ended, such as what nodes report after an interruption. */
export interface LateTrafficListener {
  /** Runs in the transaction that stores the traffic. Each day of a user is named once. */
  arrived(call: Call, days: readonly UserDay[]): Promise<void>;
}
export const LateTrafficListeners: ExtensionPoint<LateTrafficListener> = defineExtensionPoint(
  "server_daily_stat.late_traffic",
);
