import { choiceField, invalid, jsonField } from "edgehelm";
import { NodeLogParamsSchema } from "./proto/shapes_pb.ts";

export const LEVELS = ["info", "warning", "error", "success"] as const;

const MAX_PARAMS = 4096;

/** Checks what a log is about, and answers it as text; empty for nothing. */
export function paramsField(field: string, bytes: Uint8Array): string {
  if (bytes.length > MAX_PARAMS) throw invalid(field, `must have at most ${MAX_PARAMS} bytes, got ${bytes.length}`);
  return jsonField(field, bytes, NodeLogParamsSchema) === undefined ? "" : new TextDecoder().decode(bytes);
}

/** Checks the role of a node. */
export function roleField(field: string, value: string): string {
  const role = value.trim();
  if (/^[a-z][a-zA-Z]{0,31}$/.test(role)) return role;
  throw invalid(field, `must be the role of a node such as node, dns or report, got "${role.slice(0, 60)}"`);
}

/** Levels that are separated by commas; none means all. */
export function levelsField(field: string, value: string): string[] {
  const levels = value.split(",").map((level) => level.trim()).filter((level) => level !== "");
  return levels.map((level) => choiceField(field, level, LEVELS));
}
