import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";
import type { NSDomainSchema } from "edgehelm/proto/models/ns_domain_pb.js";
import type { Nested } from "edgehelm/rows";
import type { FeedRows, Query } from "edgehelm/storage";

/** The properties of a domain that other plugins use. */
export interface NSDomainSummary {
  readonly id: bigint;
  readonly name: string;
  readonly isOn: boolean;
  /** The owner; 0 means the installation. */
  readonly userId: bigint;
  readonly nsClusterId: bigint;
  /** The `NSRecordsHealthCheck` of the domain, which applies to records without one of their own; null if there is none. */
  readonly recordsHealthCheckJSON: Uint8Array | null;
}

/** A domain, as other objects contain it. */
export type NestedNSDomain = MessageInitShape<typeof NSDomainSchema> & { readonly id: bigint };

/** The contract through which other plugins use domains. A user's call sees only domains of that user. */
export interface NSDomains extends Nested<NestedNSDomain> {
  /** Returns domains by id; domains that do not exist or that the caller may not see are absent from the map. */
  summaries(call: Call, domainIds: readonly bigint[]): Promise<ReadonlyMap<bigint, NSDomainSummary>>;
  /**
   * Returns domains by id, for any caller; domains that the nodes of their clusters must not answer for are absent from
   * the map.
   */
  served(call: Call, domainIds: readonly bigint[]): Promise<ReadonlyMap<bigint, NSDomainSummary>>;
  /**
   * Returns the domain.
   *
   * @throws `ns_domain.not_found` if it does not exist or belongs to another user
   */
  requireDomain(call: Call, domainId: bigint): Promise<NSDomainSummary>;
  /**
   * Returns the domains of an owner in the order of the names.
   *
   * @param field returns the field of the request that contains the name at an index
   * @throws `ns_domain.name_not_found` if one does not exist
   */
  requireNamed(
    call: Call,
    field: (index: number) => string,
    userId: bigint,
    names: readonly string[],
  ): Promise<NSDomainSummary[]>;
}
export const NSDomains: Contract<NSDomains> = defineContract("ns_domain");

/** Lets other plugins verify by a TXT record that a user controls a name. */
export interface DomainVerification {
  /** False where there is no DNS resolver, on the edge. */
  readonly isAvailable: boolean;
  /** The time for which a value that a user must publish is valid. */
  readonly lifetimeSeconds: bigint;
  /** Returns the name of the TXT record that verifies a name. */
  recordOf(name: string): string;
  /** Returns the values of the TXT record that verifies a name. */
  valuesOf(call: Call, name: string): Promise<readonly string[]>;
}
export const DomainVerification: Contract<DomainVerification> = defineContract("ns_domain.verification");

/** The current cluster and state of a domain. */
export interface NSDomainState {
  readonly id: bigint;
  readonly nsClusterId: bigint;
  readonly isDeleted: boolean;
}

/** Updates the data of a plugin that belongs to a domain, such as records, after the domain moved or was deleted. */
export interface NSDomainFollower {
  /**
   * Updates up to `limit` objects of a domain with ids above `after`. If the domain is deleted, they are deleted.
   * Otherwise they get its cluster and a new version, even if the cluster is unchanged: nodes may have dropped them, or
   * may no longer answer for the domain.
   *
   * @returns the id to continue after, or undefined when there is nothing left
   */
  followSome(call: Call, domain: NSDomainState, after: bigint, limit: number): Promise<bigint | undefined>;
}
export const NSDomainFollowers: ExtensionPoint<NSDomainFollower> = defineExtensionPoint("ns_domain.followers");

/** The objects of domains in a feed, such as records. */
export interface DomainRows extends Pick<FeedRows<unknown, never>, "softDelete" | "move"> {
  /** Selects up to `limit` objects of a domain with ids above `after`, in the order of their ids. */
  readonly idsOfDomain: Query<{ nsDomainId: bigint; after: bigint; limit: number }, { id: bigint }>;
}

/** Moves the objects of a domain to its new cluster, and deletes them with the domain. */
export function followDomain(rows: DomainRows): NSDomainFollower {
  return {
    async followSome(call, { id: nsDomainId, nsClusterId, isDeleted }, after, limit) {
      const ids = (await rows.idsOfDomain.all(call, { nsDomainId, after, limit })).map(({ id }) => id);
      await (isDeleted ? rows.softDelete(call, ids) : rows.move(call, ids, nsClusterId));
      return ids.at(-1);
    },
  };
}

/** A name whose verification passed from one owner's domain to another's. */
export interface NSDomainTransfer {
  readonly name: string;
  /** The domain that is now verified, and its owner. */
  readonly nsDomainId: bigint;
  readonly userId: bigint;
  /** The domain that was verified before, and its owner. */
  readonly previousId: bigint;
  readonly previousUserId: bigint;
}

/** Is called after a transfer, for plugins that send messages about it. */
export interface NSDomainTransferListener {
  /** Runs in the transaction of the transfer. */
  transferred(call: Call, transfer: NSDomainTransfer): Promise<void>;
}
export const NSDomainTransferListeners: ExtensionPoint<NSDomainTransferListener> = defineExtensionPoint(
  "ns_domain.transfers",
);
