import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";
import type { AdminAccess } from "edgehelm/auth";
import type { ComposeAdminDashboardResponseSchema } from "./proto/service_admin_pb.ts";

/** Lets other plugins look up and create admins. */
export interface Admins {
  /** Returns true if the admin exists, is not deleted and is turned on. */
  isLive(call: Call, adminId: bigint): Promise<boolean>;
  /** Returns usernames and full names by id, including those of deleted admins. */
  names(call: Call, adminIds: readonly bigint[]): Promise<ReadonlyMap<bigint, { username: string; fullname: string }>>;
  /**
   * Returns the id of the admin with this username and password who may log in, or undefined. Failures count against the
   * budgets of `LoginAttempts`, so call it outside transactions.
   *
   * @param statedAddress the address of the person, if a console with a token calls for them
   */
  checkPassword(call: Call, username: string, password: string, statedAddress?: string): Promise<bigint | undefined>;
  /** Returns what an admin may do, or undefined for one who may not log in. */
  access(call: Call, adminId: bigint): Promise<AdminAccess | undefined>;
  /** Returns the id of the admin with this username, unless deleted. */
  idOf(call: Call, username: string): Promise<bigint | undefined>;
  /** Turns the admin on and lets them log in, so that they can use a new access key. */
  turnOn(call: Call, adminId: bigint): Promise<void>;
  /** Creates a super admin without a password, who can only use access keys. Returns the id. */
  createWithoutPassword(call: Call, username: string): Promise<bigint>;
}
export const Admins: Contract<Admins> = defineContract("admin");

/** Deletes the data of a deleted admin. */
export interface AdminDeletion {
  /** Runs in the transaction that deletes the admin. */
  deleted(call: Call, adminId: bigint): Promise<void>;
}
export const AdminDeletions: ExtensionPoint<AdminDeletion> = defineExtensionPoint("admin.deletions", {
  refused: ["deleted"],
});

/** Provides figures for the dashboard of the admin console. */
export interface AdminDashboardFigures {
  /** Returns the fields that this plugin owns, and no others. */
  figures(call: Call): Promise<MessageInitShape<typeof ComposeAdminDashboardResponseSchema>>;
}
export const AdminDashboard: ExtensionPoint<AdminDashboardFigures> = defineExtensionPoint("admin.dashboard");
