import type { HTTPAccessLogConfig } from "./proto/config_pb.ts";
import type { IntakeLimits } from "./intake/intake.ts";
import type { RetentionLimits } from "./retention_job.ts";

const RETENTION_DAYS = 14;
const PENDING_ROWS = 100_000n;

/** @throws Error if the configuration has a setting that is now one of another plugin */
export function refuseMoved({ minFreeBytes, segments, clickhouse }: HTTPAccessLogConfig): void {
  const moved = [
    ["minFreeBytes", "access_log_segments", minFreeBytes !== undefined],
    ["segments", "access_log_segments", Object.keys(segments).length > 0],
    ["clickhouse", "access_log_clickhouse", Object.keys(clickhouse).length > 0],
  ] as const;
  for (const [name, plugin, isSet] of moved) {
    if (isSet) throw new Error(`${name}: set this in the configuration of the plugin "${plugin}" instead`);
  }
}

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
export function retentionLimits({ retentionDays, maxBytes }: HTTPAccessLogConfig): RetentionLimits {
  return {
    days: Number(notNegative("retentionDays", BigInt(retentionDays))) || RETENTION_DAYS,
    maxBytes: notNegative("maxBytes", maxBytes),
  };
}

function notNegative(name: string, value: bigint): bigint {
  if (value < 0n) throw new Error(`${name}: must not be negative, got ${value}`);
  return value;
}
