import { type Call, type Contract, defineContract } from "edgehelm";

/** What other plugins may ask of admins. */
export interface Admins {
  /** Whether the admin exists, is not deleted and is turned on. */
  isLive(call: Call, adminId: bigint): Promise<boolean>;
  /** Usernames and full names of admins, deleted ones included, by id. */
  names(call: Call, adminIds: readonly bigint[]): Promise<ReadonlyMap<bigint, { username: string; fullname: string }>>;
  /** The id of the live admin with this username. */
  idOf(call: Call, username: string): Promise<bigint | undefined>;
  /** Turns the admin on again, so that a reset lets them in. */
  turnOn(call: Call, adminId: bigint): Promise<void>;
  /** Makes an admin who may do everything and has no password: keys are their only way in. Answers the id. */
  createWithoutPassword(call: Call, username: string): Promise<bigint>;
}
export const Admins: Contract<Admins> = defineContract("admin");
