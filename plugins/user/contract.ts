import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";

/** As much of a user as other plugins show. */
export interface UserSummary {
  readonly id: bigint;
  readonly username: string;
  readonly fullname: string;
}

/** What other plugins may ask of users. */
export interface Users {
  /** Whether the user exists, is not deleted and is turned on. */
  isLive(call: Call, userId: bigint): Promise<boolean>;
  /** Users that exist and are not deleted, by id; the others are missing from the map. */
  summaries(call: Call, userIds: readonly bigint[]): Promise<ReadonlyMap<bigint, UserSummary>>;
  /** Refuses, naming `field`, unless the user exists and is not deleted. */
  requireUser(call: Call, field: string, userId: bigint): Promise<void>;
}
export const Users: Contract<Users> = defineContract("user");

/** What hangs on a user and goes with them, removed in the background after the user was deleted. */
export interface UserRemoval {
  /**
   * Removes at most `limit` things of a deleted user.
   *
   * @returns how many it removed; fewer than `limit` means that nothing is left
   */
  removeSome(call: Call, userId: bigint, limit: number): Promise<number>;
}
export const UserRemovals: ExtensionPoint<UserRemoval> = defineExtensionPoint("user.removals");
