import type { AdminAccess, Call } from "../base/call.ts";
import { defineExtensionPoint, type ExtensionPoint } from "../base/contract.ts";

/** A plugin that stores the admins of the installation. */
export interface AdminDirectory {
  /**
   * Returns what an admin may do, or undefined for one who may have no access token: unknown, deleted or turned off. The
   * kernel asks when a token is issued, and again when {@link AccessTokens.recheck} was called.
   */
  access(call: Call, adminId: bigint): Promise<AdminAccess | undefined>;
}

/**
 * The extension point for the plugin that stores admins; only one may contribute. It applies to the tokens of every
 * credential source. Without a contribution, every admin is a super admin.
 *
 * @example
 * ```ts
 * contribute(AdminDirectories, {
 *   async access(call, adminId) {
 *     const admin = await store.byId.first(call, { id: adminId });
 *     return admin?.isOn === 1n ? { isSuper: admin.isSuper === 1n, modules: JSON.parse(admin.modules) } : undefined;
 *   },
 * });
 * ```
 */
export const AdminDirectories: ExtensionPoint<AdminDirectory> = defineExtensionPoint("kernel.admin_directories", {
  isSingle: true,
});

const SUPER: AdminAccess = { isSuper: true, modules: [] };

/** Returns what an admin may do, or undefined for one who may have no access token. */
export async function accessOf(
  directories: readonly AdminDirectory[],
  call: Call,
  adminId: bigint,
): Promise<AdminAccess | undefined> {
  const [directory] = directories;
  return directory === undefined ? SUPER : await directory.access(call, adminId);
}
