import { textField } from "edgehelm";
import { NodeStatusSchema } from "edgehelm/proto/shapes/node_status_pb.js";
import { nodeReportField, versionCode } from "../node_base/contract.ts";
import type { StatusFigures } from "./store_changes.ts";
import type { NodeRow } from "./store_tables.ts";

/** The maximum age of the last status of an active node. */
export const ACTIVE_SECONDS = 60n;

/** A checked status. */
export interface Status extends StatusFigures {
  /** The status with the server's time in `updatedAt`. */
  readonly statusJSON: Uint8Array;
}

/** Checks the status that a node reports. Unknown members are stored unchanged. */
export function statusField(field: string, bytes: Uint8Array, now: bigint): Status {
  const { status, kept } = nodeReportField(field, bytes, NodeStatusSchema, now);
  return {
    statusJSON: kept(),
    isActive: status.isActive ?? true,
    os: textField(`${field}.os`, status.os),
    arch: textField(`${field}.arch`, status.arch),
    buildVersion: textField(`${field}.buildVersion`, status.buildVersion),
    buildVersionCode: versionCode(status.buildVersion),
    statusVersion: status.configVersion,
    cpuUsage: status.cpuUsage,
    memoryUsage: status.memoryUsage,
    load1m: status.load1m,
    trafficInBytes: status.trafficInBytes,
    trafficOutBytes: status.trafficOutBytes,
    connectionCount: status.connectionCount,
  };
}

/** Returns true if the last status of a node is recent and reports that it is active. */
export function isActive(row: NodeRow, now: bigint): boolean {
  return row.isActive === 1n && row.statusUpdatedAt >= now - ACTIVE_SECONDS;
}
