import { choiceField, invalid, jsonField } from "edgehelm";
import { NodeLogParamsSchema } from "./proto/shapes_pb.ts";

export const LEVELS = ["info", "warning", "error", "success"] as const;

const MAX_PARAMS_BYTES = 4096;

/** Checks the parameters of a log and returns them as text; empty means none. */
export function paramsField(field: string, bytes: Uint8Array): string {
  if (bytes.length > MAX_PARAMS_BYTES) {
    throw invalid(field, `must have at most ${MAX_PARAMS_BYTES} bytes, got ${bytes.length}`);
  }
  return jsonField(field, bytes, NodeLogParamsSchema) === undefined ? "" : new TextDecoder().decode(bytes);
}

/** Checks the role of a node. */
export function roleField(field: string, value: string): string {
  const role = value.trim();
  if (/^[a-z][a-zA-Z]{0,31}$/.test(role)) return role;
  throw invalid(field, `must be the role of a node such as node, dns or report, got "${role.slice(0, 60)}"`);
}

/** Checks a comma-separated list of levels; an empty list means all. */
export function levelsField(field: string, value: string): string[] {
  const levels = value.split(",").map((level) => level.trim()).filter((level) => level !== "");
  return levels.map((level) => choiceField(field, level, LEVELS));
}
