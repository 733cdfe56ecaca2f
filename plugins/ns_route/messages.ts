import { type Call, mayAccessOwner } from "edgehelm";
import type { NestedNSRoute } from "./contract.ts";
import type { NSRouteRow } from "./store.ts";

/** Returns the code by which records refer to a custom route. */
export function routeCode(id: bigint): string {
  return `id:${id}`;
}

/** Returns a custom route without its cluster and its domain. */
export function plainMessage(row: NSRouteRow) {
  return {
    id: row.id,
    isOn: row.isOn === 1n,
    name: row.name,
    rangesJSON: row.rangesJSON,
    isDeleted: row.state === 0n,
    order: Number(row.order),
    version: row.version,
    code: routeCode(row.id),
    isPublic: row.isPublic === 1n,
    priority: Number(row.priority),
    userId: row.userId,
  };
}

/** Returns a custom route as the caller may see it: only admins and its owner see its ranges. */
export function visibleRoute(call: Call, row: NSRouteRow): NestedNSRoute {
  if (mayAccessOwner(call.caller, row.userId)) return plainMessage(row);
  const { id, code, name, isOn, isPublic } = plainMessage(row);
  return { id, code, name, isOn, isPublic };
}
