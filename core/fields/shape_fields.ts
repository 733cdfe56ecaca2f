import { invalid } from "../base/errors.ts";
import { choiceField } from "./fields.ts";
import { jsonField } from "../protobuf/json/json_field.ts";
import { type SizeCapacity, SizeCapacitySchema } from "../../proto/shapes/size_capacity_pb.ts";
import { type TimeDuration, TimeDurationSchema } from "../../proto/shapes/time_duration_pb.ts";

const SIZE_UNITS = ["byte", "kb", "mb", "gb", "tb", "pb", "eb"] as const;
const DURATION_UNITS = ["ms", "second", "minute", "hour", "day", "week"] as const;
const MAX_BYTES = 2n ** 63n - 1n;
const MAX_COUNT = 2n ** 31n - 1n;

interface Amount {
  readonly count: bigint;
  readonly unit: string;
}

/** Checks an amount of storage in a JSON field: a known unit, and a count of -1 (no limit) or more that fits 63 bits. */
export function sizeField(path: string, { count, unit }: Amount): void {
  if (count === 0n && unit === "") return;
  const power = SIZE_UNITS.indexOf(choiceField(`${path}.unit`, unit, SIZE_UNITS));
  const most = MAX_BYTES >> BigInt(10 * power);
  if (count < -1n || count > most) throw invalid(`${path}.count`, `must be -1 to ${most}, got ${count}`);
}

/** Checks a length of time in a JSON field: a known unit, and a count from 0. */
export function durationField(path: string, { count, unit }: Amount): void {
  if (count === 0n && unit === "") return;
  choiceField(`${path}.unit`, unit, DURATION_UNITS);
  if (count < 0n || count > MAX_COUNT) throw invalid(`${path}.count`, `must be 0 to ${MAX_COUNT}, got ${count}`);
}

/** Checks a bytes field that carries an amount of storage; undefined for empty bytes. */
export function sizeJSON(field: string, bytes: Uint8Array): SizeCapacity | undefined {
  const size = jsonField(field, bytes, SizeCapacitySchema);
  if (size !== undefined) sizeField(field, size);
  return size;
}

/** Checks a bytes field that carries a length of time; undefined for empty bytes. */
export function durationJSON(field: string, bytes: Uint8Array): TimeDuration | undefined {
  const duration = jsonField(field, bytes, TimeDurationSchema);
  if (duration !== undefined) durationField(field, duration);
  return duration;
}

/** The bytes of a request, or those that were kept when the request left the field out. */
export function orUnchanged(given: Uint8Array, kept: Uint8Array): Uint8Array {
  return given.length === 0 ? kept : given;
}
