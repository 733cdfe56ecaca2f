import { choiceField, idField, invalid, textField } from "edgehelm";
import type { Measurement, ReportLevel } from "../report_node/contract.ts";
import type { ReportResult } from "./proto/service_report_result_pb.ts";

/** All levels, best first. */
export const LEVELS: readonly ReportLevel[] = ["good", "normal", "bad", "broken"];
export const TYPES = ["ipAddr"] as const;
/** Older results are ignored in measurements. */
export const FRESH_SECONDS = 600n;

const GOOD_MILLISECONDS = 100;
const NORMAL_MILLISECONDS = 300;
const MAX_MILLISECONDS = 3_600_000;

/** Validates a result of a report node. */
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

/** The columns of a result that measurements use. */
export interface ResultSummary {
  readonly isOk: bigint;
  readonly costMs: number;
  readonly level: string;
}

/** Combines the results of a target; the level is the one that at least half of the results reach. */
export function measurementOf(results: readonly ResultSummary[]): Measurement {
  const reached = results.filter(({ isOk }) => isOk === 1n);
  let counted = 0;
  const level = LEVELS.find((candidate) => {
    counted += results.filter((result) => result.level === candidate).length;
    return counted * 2 >= results.length;
  });
  return {
    costMs: reached.reduce((sum, { costMs }) => sum + costMs, 0) / (reached.length || 1),
    connectivity: reached.length / results.length * 100,
    level: level ?? "normal",
  };
}
