import { followDomain, type NSDomainFollower } from "../ns_domain/contract.ts";
import type { KeyChanges } from "./changes.ts";
import type { DNSSECStore } from "./store.ts";

/** Moves the keys of a domain to its new cluster, and erases them with the domain. */
export function followKeys(store: DNSSECStore, changes: KeyChanges): NSDomainFollower {
  return followDomain({ ...store, softDelete: (call, ids) => changes.remove(call, ids) });
}
