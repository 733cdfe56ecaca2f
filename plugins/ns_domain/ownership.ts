import { type Call, mayAccessOwner, onlyOwned, requireOwned } from "edgehelm";
import { errors } from "./errors.ts";
import type { NSDomainRow, NSDomainStore } from "./store.ts";

/** Whether the caller decides for the whole installation, and so is trusted with any name, owner and cluster. */
export function decidesForAll(call: Call): boolean {
  return mayAccessOwner(call.caller, 0n);
}

/** The domain, or nothing when it is missing or another user's. */
export async function ownedDomain(domains: NSDomainStore, call: Call, id: bigint): Promise<NSDomainRow | undefined> {
  return onlyOwned(call, await domains.byId.first(call, { id }));
}

/** The domain; refuses when it is missing or another user's. */
export async function requireDomain(domains: NSDomainStore, call: Call, id: bigint): Promise<NSDomainRow> {
  return requireOwned(call, await domains.byId.first(call, { id }), errors.not_found(id));
}
