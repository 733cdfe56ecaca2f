import { type Call, type Contract, defineContract } from "edgehelm";

/**
 * The content of a record. Its own name is relative to the domain. In its value a name of one label is below the domain,
 * unless it ends in a dot; all others are complete.
 */
export interface NSRecordContent {
  readonly name: string;
  readonly type: string;
  readonly value: string;
  /** In seconds; 0 for the default. */
  readonly ttl: number;
  readonly mxPriority: number;
  readonly srvPriority: number;
  readonly srvWeight: number;
  readonly srvPort: number;
  readonly caaFlag: number;
  readonly caaTag: string;
}

/** A stored record. */
export interface NSRecordEntry extends NSRecordContent {
  readonly id: bigint;
  readonly isOn: boolean;
  /** Increases with every change of any record. */
  readonly version: bigint;
  /** Empty if the record applies to all clients. */
  readonly routeCodes: readonly string[];
}

/** A record as nodes have it. Names in its value are fully qualified, with a final dot. */
export interface NSZoneRecord extends NSRecordContent {
  readonly id: bigint;
  /** Increases with every change of any record. */
  readonly version: bigint;
  /** False if the record was deleted or turned off. */
  readonly isOn: boolean;
  /** False if a health check found its address down. */
  readonly isUp: boolean;
  readonly weight: number;
  /** Empty if the record applies to all clients. */
  readonly routeCodes: readonly string[];
  readonly healthCheckJSON: Uint8Array;
}

/** The domain of a zone, and its owner; 0 means the installation. */
export interface NSZoneDomain {
  readonly id: bigint;
  readonly name: string;
  readonly userId: bigint;
}

/** The state of the records of a domain. */
export interface NSZoneVersion {
  readonly nsDomainId: bigint;
  /** The version of the last change of a record. */
  readonly version: bigint;
  /** Increases with every change, and follows the clock, so that it is higher after the restore of a backup. */
  readonly serial: bigint;
}

/** A record to merge into a domain. It is validated like the record of a request; its name may end in a dot. */
export interface NSRecordToMerge extends NSRecordContent {
  /** The domain's cluster serves the record itself: it is not created, and an existing one is kept. */
  readonly isImplied: boolean;
}

/** The result of a merge. If there are errors, nothing was changed. */
export interface NSRecordMerge {
  readonly created: number;
  readonly updated: number;
  /** The number of records that already existed, were listed twice, or are implied. */
  readonly skipped: number;
  readonly removed: number;
  readonly errors: readonly { readonly index: number; readonly message: string }[];
}

/** The domain of a record, and its name in it. */
export interface NSRecordPlace {
  readonly nsDomainId: bigint;
  readonly name: string;
  readonly type: string;
  readonly isDeleted: boolean;
}

/** Gives other plugins access to DNS records. */
export interface NSRecords {
  /**
   * Returns up to `limit` records of a domain with ids above `after`, ordered by id. Names in values are fully
   * qualified, with a final dot. Refuses a domain that does not
   * exist or belongs to another user.
   */
  page(call: Call, nsDomainId: bigint, after: bigint, limit: number): Promise<readonly NSRecordEntry[]>;
  /**
   * Merges records into a domain; they are turned on and apply to all clients. If one is invalid, none is merged. At
   * most 5000 records can change. Refuses a domain that does not exist or belongs to another user.
   *
   * @param options If `replace` is true, the other records of the domain that are turned on and have no routes are
   *   removed, and existing records receive the new TTL. Records with routes are never changed; records that are
   *   turned off are only turned on.
   */
  merge(
    call: Call,
    nsDomainId: bigint,
    records: readonly NSRecordToMerge[],
    options: { readonly replace: boolean },
  ): Promise<NSRecordMerge>;
  /** Returns the domains of a cluster with records that changed after a version, the oldest change first. */
  zonesAfter(call: Call, page: { nsClusterId: bigint; version: bigint; limit: number }): Promise<NSZoneVersion[]>;
  /** Returns the states of domains that have or had records, for any caller. */
  zoneVersions(call: Call, domainIds: readonly bigint[]): Promise<ReadonlyMap<bigint, NSZoneVersion>>;
  /** Returns the records of a domain that changed after a version, also deleted ones, for any caller. */
  zoneRecordsAfter(call: Call, domain: NSZoneDomain, version: bigint, limit: number): Promise<NSZoneRecord[]>;
  /** Returns the SOA and NS records at the names of domains that are on and apply to all clients, for any caller. */
  zoneAuthorities(call: Call, domains: readonly NSZoneDomain[]): Promise<ReadonlyMap<bigint, readonly NSZoneRecord[]>>;
  /** Returns where records are by their ids, also deleted records, for any caller. */
  places(call: Call, recordIds: readonly bigint[]): Promise<ReadonlyMap<bigint, NSRecordPlace>>;
  /** Removes the records of a domain that have this name, type and value; none is no error. */
  removeExact(
    call: Call,
    nsDomainId: bigint,
    record: Pick<NSRecordContent, "name" | "type" | "value">,
  ): Promise<void>;
}
export const NSRecords: Contract<NSRecords> = defineContract("ns_record");
