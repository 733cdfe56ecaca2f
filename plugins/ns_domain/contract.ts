import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";

/** As much of a domain as other plugins need. */
export interface NSDomainSummary {
  readonly id: bigint;
  readonly name: string;
  readonly isOn: boolean;
  /** Its owner; 0 when it is the installation's. */
  readonly userId: bigint;
  readonly nsClusterId: bigint;
}

/** What other plugins may ask of domains. A user's call sees their own only. */
export interface NSDomains {
  /** Domains that exist and that the caller may see, by id; the others are missing from the map. */
  summaries(call: Call, domainIds: readonly bigint[]): Promise<ReadonlyMap<bigint, NSDomainSummary>>;
  /** The domain; refuses with `ns_domain.not_found` when it is missing or another user's. */
  requireDomain(call: Call, domainId: bigint): Promise<NSDomainSummary>;
  /**
   * An owner's domains in the order of the names; refuses when one does not exist.
   *
   * @param field words where the name at an index came from
   */
  requireNamed(
    call: Call,
    field: (index: number) => string,
    userId: bigint,
    names: readonly string[],
  ): Promise<NSDomainSummary[]>;
}
export const NSDomains: Contract<NSDomains> = defineContract("ns_domain");

/** Where a domain is now. */
export interface NSDomainPlace {
  readonly id: bigint;
  readonly nsClusterId: bigint;
  readonly isDeleted: boolean;
}

/** What lives with a domain, such as its records, and follows it in the background when it moves or is deleted. */
export interface NSDomainFollower {
  /**
   * Brings at most `limit` of a domain's things, those with ids above `after`, to where the domain is: gives them its
   * cluster and a new version, also when it is the one they had, since its nodes may have dropped them; or deletes them.
   *
   * @returns the id to go on after; undefined when nothing is left
   */
  followSome(call: Call, place: NSDomainPlace, after: bigint, limit: number): Promise<bigint | undefined>;
}
export const NSDomainFollowers: ExtensionPoint<NSDomainFollower> = defineExtensionPoint("ns_domain.followers");
