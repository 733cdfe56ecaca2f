import { nodeReportField } from "edgehelm";
import { NodeStatusSchema } from "edgehelm/proto/shapes/node_status_pb.js";
import type { StatusFigures } from "./store_changes.ts";
import type { NodeRow } from "./store_tables.ts";

/** A node is active while its last status is no older. */
export const ACTIVE_SECONDS = 60n;

/** A status that was taken. */
export interface Status extends StatusFigures {
  /** With the server's time in updatedAt. */
  readonly statusJSON: Uint8Array;
}

/** Checks what a node reports of itself; members that have no name here are kept. */
export function statusField(field: string, bytes: Uint8Array, now: bigint): Status {
  const { status, kept } = nodeReportField(field, bytes, NodeStatusSchema, now);
  return {
    statusJSON: kept(),
    isActive: status.isActive ?? true,
    statusVersion: status.configVersion,
    cpuUsage: status.cpuUsage,
    memoryUsage: status.memoryUsage,
    load1m: status.load1m,
    trafficInBytes: status.trafficInBytes,
    trafficOutBytes: status.trafficOutBytes,
    connectionCount: status.connectionCount,
  };
}

/** Whether a node reported lately that it serves. */
export function isActive(row: NodeRow, now: bigint): boolean {
  return row.isActive === 1n && row.statusUpdatedAt >= now - ACTIVE_SECONDS;
}
