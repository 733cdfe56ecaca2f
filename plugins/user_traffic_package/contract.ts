import { type Call, type Contract, defineContract } from "edgehelm";

/** A billed range of days such as 2026-01-31, including both ends. */
export interface BilledDays {
  readonly from: string;
  readonly to: string;
}

/** The traffic of a server in a region that packages pay for. */
export interface CoveredTraffic {
  readonly serverId: bigint;
  readonly regionId: bigint;
  readonly bytes: bigint;
}

/** Uses the traffic packages of users before bills charge money. */
export interface UserTrafficPackages {
  /**
   * Uses packages for the traffic of a billed range, on the days on which they are valid, and returns what they cover:
   * the packages that expire first are used first. A repeated call for a range with the same first day replaces what the
   * earlier ones used, so that every byte of a package is used once.
   *
   * @param serversOf the servers whose traffic is charged by amount, by user
   *
   * @example
   * ```ts
   * const covered = await packages.cover(call, { from: "2026-01-01", to: "2026-01-31" }, new Map([[7n, [70n]]]));
   * ```
   */
  cover(
    call: Call,
    days: BilledDays,
    serversOf: ReadonlyMap<bigint, readonly bigint[]>,
  ): Promise<readonly CoveredTraffic[]>;
}
export const UserTrafficPackages: Contract<UserTrafficPackages> = defineContract("user_traffic_package");
