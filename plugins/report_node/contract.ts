import { type Call, type Contract, defineContract, defineExtensionPoint, type ExtensionPoint } from "edgehelm";

/** What other plugins may ask of report nodes. */
export interface ReportNodes {
  /** The report node that calls; refuses when it is gone, or calls from an address that it may not report from. */
  requireCaller(call: Call): Promise<bigint>;
}
export const ReportNodes: Contract<ReportNodes> = defineContract("report_node");

/** How good a target is. */
export type ReportLevel = "good" | "normal" | "bad" | "broken";

/** What report nodes found at one target within the last ten minutes. */
export interface Measurement {
  /** On average, in milliseconds; 0 when nobody could connect. */
  readonly costMs: number;
  /** In percent. */
  readonly connectivity: number;
  readonly level: ReportLevel;
}

/** Keeps what report nodes found. */
export interface ReportMeasurements {
  /** By target; targets that nobody reported on are missing from the map. */
  ofTargets(call: Call, type: string, targetIds: readonly bigint[]): Promise<ReadonlyMap<bigint, Measurement>>;
  /** A report node was deleted: what it found goes. */
  nodeDeleted(call: Call, reportNodeId: bigint): Promise<void>;
}
export const ReportMeasurements: ExtensionPoint<ReportMeasurements> = defineExtensionPoint("report_node.measurements");
