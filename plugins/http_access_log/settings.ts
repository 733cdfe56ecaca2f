import type { HTTPAccessLogConfig } from "./proto/config_pb.ts";
import type { IntakeLimits } from "./intake/intake.ts";
import type { RetentionLimits } from "./retention_job.ts";

const RETENTION_DAYS = 14;
const PENDING_ROWS = 100_000n;
const MIN_FREE_BYTES = 1024n ** 3n;

/** @throws Error if a setting is out of range */
export function intakeLimits({ samplingPercent = 100, rowsPerSecond, pendingRows }: HTTPAccessLogConfig): IntakeLimits {
  if (samplingPercent < 0 || samplingPercent > 100) {
    throw new Error(`samplingPercent: must be from 0 to 100, got ${samplingPercent}`);
  }
  return {
    samplingPercent,
    rowsPerSecond: notNegative("rowsPerSecond", rowsPerSecond) === 0n ? Infinity : Number(rowsPerSecond),
    pendingRows: Number(notNegative("pendingRows", pendingRows) || PENDING_ROWS),
  };
}

/** @throws Error if a setting is out of range */
export function retentionLimits({ retentionDays, maxBytes, minFreeBytes }: HTTPAccessLogConfig): RetentionLimits {
  return {
    days: Number(notNegative("retentionDays", BigInt(retentionDays))) || RETENTION_DAYS,
    maxBytes: notNegative("maxBytes", maxBytes),
    minFreeBytes: notNegative("minFreeBytes", minFreeBytes ?? MIN_FREE_BYTES),
  };
}

function notNegative(name: string, value: bigint): bigint {
  if (value < 0n) throw new Error(`${name}: must not be negative, got ${value}`);
  return value;
}
