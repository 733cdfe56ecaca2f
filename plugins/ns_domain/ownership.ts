import { type Call, mayAccessOwner, onlyOwned, requireOwned } from "edgehelm";
import { errors } from "./errors.ts";
import type { NSDomainStore } from "./store.ts";
import type { NSDomainRow } from "./store_tables.ts";

/** Returns true if the caller may act for the installation, and thus set any name, owner and cluster. */
export function actsForInstallation(call: Call): boolean {
  return mayAccessOwner(call.caller, 0n);
}

/** Returns the domain, or undefined when it does not exist or belongs to another user. */
export async function ownedDomain(domains: NSDomainStore, call: Call, id: bigint): Promise<NSDomainRow | undefined> {
  return onlyOwned(call, await domains.byId.first(call, { id }));
}

/**
 * Returns the domain.
 *
 * @throws `ns_domain.not_found` if it does not exist or belongs to another user
 */
export async function requireDomain(domains: NSDomainStore, call: Call, id: bigint): Promise<NSDomainRow> {
  return requireOwned(call, await domains.byId.first(call, { id }), errors.not_found(id));
}
