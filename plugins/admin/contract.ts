import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";
import type { ComposeAdminDashboardResponseSchema } from "./proto/service_admin_pb.ts";

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

/** What goes with an admin. */
export interface AdminDeletion {
  /** Runs in the transaction that deletes the admin. */
  deleted(call: Call, adminId: bigint): Promise<void>;
}
export const AdminDeletions: ExtensionPoint<AdminDeletion> = defineExtensionPoint("admin.deletions");

/** Figures that a plugin adds to the dashboard of the admin console. */
export interface AdminDashboardFigures {
  /** The fields that this plugin knows. */
  figures(call: Call): Promise<MessageInitShape<typeof ComposeAdminDashboardResponseSchema>>;
}
export const AdminDashboard: ExtensionPoint<AdminDashboardFigures> = defineExtensionPoint("admin.dashboard");
