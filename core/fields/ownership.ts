import type { Call, Caller } from "../base/call.ts";
import type { RpcError } from "../base/errors.ts";

/** True when `caller` may see what belongs to `userId`: a user only their own, everybody else all. */
export function mayAccessOwner(caller: Caller, userId: bigint): boolean {
  return caller.role !== "user" || caller.userId === userId;
}

/** Whom a row or a list concerns: a user's is always their own, others name the user. */
export function ownerOf(call: Call, requestedUserId: bigint): bigint {
  return call.caller.role === "user" ? call.caller.userId : requestedUserId;
}

/** The row, unless it is missing or another user's: both throw the same `missing`, so that ids cannot be probed. */
export function requireOwned<Row extends { readonly userId: bigint }>(
  call: Call,
  row: Row | undefined,
  missing: RpcError,
): Row {
  if (row === undefined || !mayAccessOwner(call.caller, row.userId)) throw missing;
  return row;
}

/** The row, or nothing when it is missing or another user's: for operations that answer without the object. */
export function onlyOwned<Row extends { readonly userId: bigint }>(call: Call, row: Row | undefined): Row | undefined {
  return row !== undefined && mayAccessOwner(call.caller, row.userId) ? row : undefined;
}
