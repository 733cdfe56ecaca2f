import type { Call, Caller } from "../base/call.ts";
import type { RpcError } from "../base/errors.ts";

/**
 * Returns true if `caller` may access what belongs to `userId`. A user may access only what is their own; every other
 * caller may access everything.
 *
 * @example
 * ```ts
 * import { mayAccessOwner } from "edgehelm";
 *
 * const visible = rows.filter(({ userId }) => mayAccessOwner(call.caller, userId));
 * ```
 */
export function mayAccessOwner(caller: Caller, userId: bigint): boolean {
  return caller.role !== "user" || caller.userId === userId;
}

/**
 * Returns the user whose rows an operation concerns: the caller if it is a user, otherwise the user in the request.
 *
 * @example
 * ```ts
 * import { ownerOf } from "edgehelm";
 *
 * const count = await store.countOf.one(call, { userId: ownerOf(call, request.userId) });
 * ```
 */
export function ownerOf(call: Call, requestedUserId: bigint): bigint {
  return call.caller.role === "user" ? call.caller.userId : requestedUserId;
}

/**
 * Returns the row if it exists and the caller may access it.
 *
 * @throws `missing` otherwise: a user cannot distinguish another user's row from one that does not exist
 *
 * @example
 * ```ts
 * import { requireOwned } from "edgehelm";
 *
 * const site = requireOwned(call, await store.byId.first(call, { id }), errors.not_found(id));
 * ```
 */
export function requireOwned<Row extends { readonly userId: bigint }>(
  call: Call,
  row: Row | undefined,
  missing: RpcError,
): Row {
  if (row === undefined || !mayAccessOwner(call.caller, row.userId)) throw missing;
  return row;
}

/**
 * Returns the row if it exists and the caller may access it, otherwise undefined. It suits operations whose response
 * then leaves out the object.
 *
 * @example
 * ```ts
 * import { onlyOwned } from "edgehelm";
 *
 * const site = onlyOwned(call, await store.byId.first(call, { id }));
 * ```
 */
export function onlyOwned<Row extends { readonly userId: bigint }>(call: Call, row: Row | undefined): Row | undefined {
  return row !== undefined && mayAccessOwner(call.caller, row.userId) ? row : undefined;
}
