import { nodeReportField, textField, versionCode } from "edgehelm";
import { NodeStatusSchema } from "edgehelm/proto/shapes/node_status_pb.js";
import type { NSNodeRow } from "./store.ts";

/** A node that was silent for longer is not active. */
export const SILENT_SECONDS = 60n;

/** Whether a node is active: it says so, and said it lately. */
export function isActive(row: NSNodeRow, now: bigint): boolean {
  return row.isActive === 1n && row.statusIsActive === 1n && row.statusUpdatedAt >= now - SILENT_SECONDS;
}

/** Checks what a node reports; the time is ours, whatever the node's clock says. */
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
