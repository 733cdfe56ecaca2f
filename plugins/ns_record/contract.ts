import { type Call, type Contract, defineContract } from "edgehelm";

/** What a record says, in the one spelling of its type: names without a trailing dot, its own relative to the domain. */
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

/** A record that exists. */
export interface NSRecordEntry extends NSRecordContent {
  readonly id: bigint;
  readonly isOn: boolean;
  /** Rises with every change of any record. */
  readonly version: bigint;
  /** Empty for everybody. */
  readonly routeCodes: readonly string[];
}

/** A record to bring into a domain; its values are checked as those of a request, its name may end in a dot. */
export interface NSRecordToMerge extends NSRecordContent {
  /** The domain's cluster answers it by itself: it is not created, and where it stands already it stays. */
  readonly isImplied: boolean;
}

/** What merging came to; when there are faults nothing was changed. */
export interface NSRecordMerge {
  readonly created: number;
  readonly updated: number;
  /** Those that were there already, that came twice, or that are implied. */
  readonly skipped: number;
  readonly removed: number;
  readonly faults: readonly { readonly index: number; readonly message: string }[];
}

/** What other plugins may ask of records. */
export interface NSRecords {
  /** A domain's records with ids above `after`, by id; refuses when the domain is missing or another user's. */
  page(call: Call, nsDomainId: bigint, after: bigint, limit: number): Promise<readonly NSRecordEntry[]>;
  /**
   * Brings records into a domain, for everybody and turned on: all or, when one has a fault, none. At most 5000 records
   * can change. Refuses when the domain is missing or another user's.
   *
   * @param options with `replace` the domain's other records that are on and for everybody are removed, and those that
   *   stay get the new TTL; records of routes and those that are off are never touched, but for being turned on
   */
  merge(
    call: Call,
    nsDomainId: bigint,
    records: readonly NSRecordToMerge[],
    options: { readonly replace: boolean },
  ): Promise<NSRecordMerge>;
}
export const NSRecords: Contract<NSRecords> = defineContract("ns_record");
