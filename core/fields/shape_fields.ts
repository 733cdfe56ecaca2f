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

/**
 * Checks an amount of storage in a JSON field. Its unit is one of byte, kb, mb, gb, tb, pb and eb; its count is -1 for
 * no limit, or an amount below 2^63 bytes.
 *
 * @param path the path of the amount, for errors
 * @throws RpcError invalid
 *
 * @example
 * ```ts
 * import { sizeField } from "edgehelm/fields";
 *
 * if (policy.maxSize !== undefined) sizeField("policyJSON.maxSize", policy.maxSize);
 * ```
 */
export function sizeField(path: string, { count, unit }: Amount): void {
  if (count === 0n && unit === "") return;
  const power = SIZE_UNITS.indexOf(choiceField(`${path}.unit`, unit, SIZE_UNITS));
  const max = MAX_BYTES >> BigInt(10 * power);
  if (count < -1n || count > max) throw invalid(`${path}.count`, `must be -1 to ${max}, got ${count}`);
}

/**
 * Checks a duration in a JSON field. Its unit is one of ms, second, minute, hour, day and week; its count is 0 to
 * 2^31-1.
 *
 * @param path the path of the duration, for errors
 * @throws RpcError invalid
 *
 * @example
 * ```ts
 * import { durationField } from "edgehelm/fields";
 *
 * if (rule.life !== undefined) durationField("ruleJSON.life", rule.life);
 * ```
 */
export function durationField(path: string, { count, unit }: Amount): void {
  if (count === 0n && unit === "") return;
  choiceField(`${path}.unit`, unit, DURATION_UNITS);
  if (count < 0n || count > MAX_COUNT) throw invalid(`${path}.count`, `must be 0 to ${MAX_COUNT}, got ${count}`);
}

/**
 * Checks a bytes field that carries an amount of storage as JSON.
 *
 * @returns undefined for empty bytes
 * @throws RpcError invalid
 *
 * @example
 * ```ts
 * import { sizeJSON } from "edgehelm/fields";
 *
 * const maxSize = sizeJSON("maxSizeJSON", request.maxSizeJSON);
 * ```
 */
export function sizeJSON(field: string, bytes: Uint8Array): SizeCapacity | undefined {
  const size = jsonField(field, bytes, SizeCapacitySchema);
  if (size !== undefined) sizeField(field, size);
  return size;
}

/**
 * Checks a bytes field that carries a duration as JSON.
 *
 * @returns undefined for empty bytes
 * @throws RpcError invalid
 *
 * @example
 * ```ts
 * import { durationJSON } from "edgehelm/fields";
 *
 * const life = durationJSON("lifeJSON", request.lifeJSON);
 * ```
 */
export function durationJSON(field: string, bytes: Uint8Array): TimeDuration | undefined {
  const duration = jsonField(field, bytes, TimeDurationSchema);
  if (duration !== undefined) durationField(field, duration);
  return duration;
}

/**
 * Returns the bytes of an update request, or the stored bytes if the request left the field out.
 *
 * @example
 * ```ts
 * import { orUnchanged } from "edgehelm/fields";
 *
 * const lifeJSON = orUnchanged(request.lifeJSON, row.lifeJSON);
 * ```
 */
export function orUnchanged(requested: Uint8Array, stored: Uint8Array): Uint8Array {
  return requested.length === 0 ? stored : requested;
}
