import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";

/** Gives other plugins access to report nodes. */
export interface ReportNodes {
  /**
   * Returns the id of the calling report node. Refuses a node that does not exist or calls from an address that is not
   * allowed.
   */
  requireCaller(call: Call): Promise<bigint>;
  /** Returns which of the ids are those of targets that report nodes measure: addresses of edge nodes for clients. */
  targetsAmong(call: Call, targetIds: readonly bigint[]): Promise<ReadonlySet<bigint>>;
  /** Returns the names and places of those of the report nodes that exist, by id. */
  places(call: Call, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, ReportNodePlace>>;
}
export const ReportNodes: Contract<ReportNodes> = defineContract("report_node");

/** From where a report node measures. */
export interface ReportNodePlace {
  readonly name: string;
  /** The location that an admin set, or else the one that the node detected; may be empty, as the carrier `isp`. */
  readonly location: string;
  readonly isp: string;
}

/** The connection quality of a target. */
export type ReportLevel = "good" | "normal" | "bad" | "broken";

/** The combined results of all report nodes for a target in the last ten minutes. */
export interface Measurement {
  /** The average time to connect in milliseconds; 0 if no report node could connect. */
  readonly costMs: number;
  /** The percentage of report nodes that could connect. */
  readonly connectivity: number;
  readonly level: ReportLevel;
}

/** A store of results of report nodes. */
export interface ReportMeasurements {
  /** Returns the measurements of targets that have results, by target. */
  ofTargets(call: Call, type: string, targetIds: readonly bigint[]): Promise<ReadonlyMap<bigint, Measurement>>;
  /** Deletes the results of a deleted report node. */
  nodeDeleted(call: Call, reportNodeId: bigint): Promise<void>;
}
export const ReportMeasurements: ExtensionPoint<ReportMeasurements> = defineExtensionPoint("report_node.measurements");
