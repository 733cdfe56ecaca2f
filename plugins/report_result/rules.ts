import { choiceField, idField, invalid, textField } from "edgehelm";
import type { Measurement, ReportLevel } from "../report_node/contract.ts";
import type { ReportResult } from "./proto/service_report_result_pb.ts";

/** From the best to the worst. */
export const LEVELS: readonly ReportLevel[] = ["good", "normal", "bad", "broken"];
export const TYPES = ["ipAddr"] as const;
/** Older results tell nothing of how a target is now. */
export const FRESH_SECONDS = 600n;

const GOOD_MILLISECONDS = 100;
const NORMAL_MILLISECONDS = 300;
const MAX_MILLISECONDS = 3_600_000;

/** Checks what a report node found. */
export function resultField(field: string, result: ReportResult) {
  const { isOk, costMs } = result;
  if (!(costMs >= 0 && costMs <= MAX_MILLISECONDS)) {
    throw invalid(`${field}.costMs`, `must be 0 to ${MAX_MILLISECONDS}, got ${costMs}`);
  }
  return {
    type: choiceField(`${field}.type`, result.type, TYPES),
    targetId: idField(`${field}.targetId`, result.targetId),
    targetDesc: textField(`${field}.targetDesc`, result.targetDesc),
    isOk,
    costMs,
    error: textField(`${field}.error`, result.error, { max: 1000 }),
    level: levelOf(isOk, costMs),
  };
}

function levelOf(isOk: boolean, costMs: number): ReportLevel {
  if (!isOk) return "broken";
  if (costMs <= GOOD_MILLISECONDS) return "good";
  return costMs <= NORMAL_MILLISECONDS ? "normal" : "bad";
}

/** What of a result counts for its target. */
export interface Finding {
  readonly isOk: bigint;
  readonly costMs: number;
  readonly level: string;
}

/** Results of one target taken together: the level is what at least half of them are as good as. */
export function measurementOf(findings: readonly Finding[]): Measurement {
  const reached = findings.filter(({ isOk }) => isOk === 1n);
  let counted = 0;
  const level = LEVELS.find((one) => {
    counted += findings.filter((finding) => finding.level === one).length;
    return counted * 2 >= findings.length;
  });
  return {
    costMs: reached.reduce((sum, { costMs }) => sum + costMs, 0) / (reached.length || 1),
    connectivity: reached.length / findings.length * 100,
    level: level ?? "normal",
  };
}
