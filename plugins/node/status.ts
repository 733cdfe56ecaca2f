import { invalid, jsonField } from "edgehelm";
import { EdgeNodeStatusSchema } from "./shapes_pb.ts";
import type { StatusFigures } from "./store_changes.ts";
import type { NodeRow } from "./store_tables.ts";

/** A node is active while its last status is no older. */
export const ACTIVE_SECONDS = 60n;
const MAX_STATUS_BYTES = 65_536;

/** A status that was taken. */
export interface Status extends StatusFigures {
  /** With the server's time in updatedAt. */
  readonly statusJSON: Uint8Array;
}

/** Checks what a node reports of itself; members that have no name here are kept. */
export function statusField(field: string, bytes: Uint8Array, now: bigint): Status {
  if (bytes.length > MAX_STATUS_BYTES) {
    throw invalid(field, `must have at most ${MAX_STATUS_BYTES} bytes, got ${bytes.length}`);
  }
  const status = jsonField(field, bytes, EdgeNodeStatusSchema);
  if (status === undefined) throw invalid(field, "must not be empty");
  const kept = { ...JSON.parse(new TextDecoder().decode(bytes)), updatedAt: Number(now) };
  return {
    statusJSON: new TextEncoder().encode(JSON.stringify(kept)),
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
