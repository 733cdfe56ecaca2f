import { type Call, type Contract, defineContract } from "edgehelm";

/** The content of a record, with fully qualified names in its value. */
export interface ZoneContent {
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number;
  readonly mxPriority: number;
  readonly srvPriority: number;
  readonly srvWeight: number;
  readonly srvPort: number;
  readonly caaFlag: number;
  readonly caaTag: string;
}

/** A record as zones contain it. */
export interface ZoneLine {
  /** Relative to the zone; `@` is the zone itself. */
  readonly name: string;
  readonly type: string;
  readonly ttl: number;
  /** The words after the type, as in a zone file (RFC 1035, section 5). */
  readonly data: string;
}

/** The beginning of a zone. */
export interface ZoneHead {
  /** The serial of the SOA record. */
  readonly serial: number;
  /** The SOA record, and the NS records of the cluster if the zone has none of its own. */
  readonly lines: readonly ZoneLine[];
}

/** Writes zones, the same for files and for nodes. */
export interface ZoneText {
  /** Returns a record as zones contain it. */
  lineOf(record: ZoneContent): ZoneLine;
  /**
   * Returns a function that makes the beginnings of zones on a cluster.
   *
   * @returns a function of the name of a zone, its own SOA and NS records that apply to all clients, and its serial,
   *   which changes of the cluster increase as well
   */
  heads(
    call: Call,
    nsClusterId: bigint,
  ): Promise<(zone: string, own: readonly ZoneContent[], serial: bigint) => ZoneHead>;
}
export const ZoneText: Contract<ZoneText> = defineContract("ns_zone_file");
