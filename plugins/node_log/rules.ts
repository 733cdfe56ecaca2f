import { distinct, invalid, jsonField, wordField } from "edgehelm";
import { NodeLogParamsSchema } from "./shapes_pb.ts";

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
  return levels.map((level) => wordField(field, level, LEVELS));
}

/** A few tell enough apart; each more costs time wherever it is common. */
const MOST_TRIGRAMS = 6;
const COMMON = /[etaoinsrhld .]/gi;

/** The rarest trigrams of both texts as a full text query; undefined when they are too short to have any. */
export function trigramQuery(keyword: string, tag: string): string | undefined {
  const trigrams = [keyword, tag].flatMap((text) => {
    const letters = [...text];
    return letters.slice(2).map((letter, at) => letters[at]! + letters[at + 1]! + letter);
  });
  if (trigrams.length === 0) return undefined;
  const commonness = (three: string) => three.match(COMMON)?.length ?? 0;
  const rarest = distinct(trigrams).sort((one, other) => commonness(one) - commonness(other)).slice(0, MOST_TRIGRAMS);
  return rarest.map((three) => `"${three.replaceAll('"', '""')}"`).join(" AND ");
}
