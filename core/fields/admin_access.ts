import type { Call } from "../base/call.ts";
import { kernelErrors } from "../base/errors.ts";

/**
 * Checks that an admin has a module, in an operation where the object decides which one. Callers of other roles pass, as
 * the operation's roles allow them.
 *
 * @param what what the call does, for the error
 * @throws RpcError `kernel.module_required`
 *
 * @example
 * ```ts
 * import { requireModule } from "edgehelm/auth";
 *
 * if (key.userId !== 0n) requireModule(call, "user", `delete the access key ${key.id} of a user`);
 * ```
 */
export function requireModule({ caller }: Call, module: string, what: string): void {
  if (caller.role !== "admin" || caller.access.isSuper || caller.access.modules.includes(module)) return;
  throw kernelErrors.module_required(what, [module]);
}

/**
 * Checks that a call may change what belongs to an admin: the call of that admin, of a super admin, or of the
 * installation itself.
 *
 * @param what what the call does, for the error
 * @throws RpcError `kernel.super_required`
 *
 * @example
 * ```ts
 * import { requireSelfOrSuper } from "edgehelm/auth";
 *
 * requireSelfOrSuper(call, request.adminId, `rename admin ${request.adminId}`);
 * ```
 */
export function requireSelfOrSuper({ caller }: Call, adminId: bigint, what: string): void {
  if (caller.role === "system") return;
  if (caller.role === "admin" && (caller.access.isSuper || caller.adminId === adminId)) return;
  throw kernelErrors.super_required(what);
}
