import { textField } from "edgehelm";
import { NodeStatusSchema } from "edgehelm/proto/shapes/node_status_pb.js";
import { nodeReportField, versionCode } from "../node_base/contract.ts";
import type { NSNodeRow } from "./store.ts";

/** The maximum age of the last status of an active node. */
export const ACTIVE_SECONDS = 60n;

/** Returns true if the last status of a node is recent and reports that it is active. */
export function isActive(row: NSNodeRow, now: bigint): boolean {
  return row.isActive === 1n && row.statusIsActive === 1n && row.statusUpdatedAt >= now - ACTIVE_SECONDS;
}

/** Checks the status that a node reports. The server's time replaces that of the node. */
export function statusField(field: string, bytes: Uint8Array, now: bigint) {
  const { status, kept } = nodeReportField(field, bytes, NodeStatusSchema, now);
  return {
    statusJSON: kept(),
    statusUpdatedAt: now,
    isActive: status.isActive ?? true,
    os: textField(`${field}.os`, status.os),
    arch: textField(`${field}.arch`, status.arch),
    buildVersionCode: versionCode(status.buildVersion),
  };
}
