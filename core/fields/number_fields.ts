import { invalid } from "../base/errors.ts";

const MAX_INT32 = 2 ** 31 - 1;

/**
 * Checks an integer.
 *
 * @param limits the allowed range, 0 to 2^31-1 by default; `orZero` also allows 0, which then selects the default
 * @throws RpcError invalid
 *
 * @example
 * ```ts
 * import { numberField } from "edgehelm";
 *
 * const weight = numberField("weight", request.weight, { min: 1, max: 100, orZero: true });
 * ```
 */
export function numberField(
  field: string,
  value: number,
  { min = 0, max = MAX_INT32, orZero = false }: {
    readonly min?: number;
    readonly max?: number;
    readonly orZero?: boolean;
  } = {},
): number {
  if ((value >= min && value <= max) || (orZero && value === 0)) return value;
  throw invalid(field, `must be ${orZero ? "0 or " : ""}${min} to ${max}, got ${value}`);
}

/**
 * Checks a port number.
 *
 * @param options `orZero` also allows 0
 * @throws RpcError invalid
 *
 * @example
 * ```ts
 * import { portField } from "edgehelm/fields";
 *
 * const port = portField("port", request.port);
 * ```
 */
export function portField(
  field: string,
  value: number,
  { orZero = false }: { readonly orZero?: boolean } = {},
): number {
  return numberField(field, value, { min: 1, max: 65535, orZero });
}

/**
 * Checks an id that may be 0 for none or for all.
 *
 * @throws RpcError invalid if `value` is negative
 *
 * @example
 * ```ts
 * import { idOrNoneField } from "edgehelm/fields";
 *
 * const userId = idOrNoneField("userId", request.userId);
 * ```
 */
export function idOrNoneField(field: string, value: bigint): bigint {
  if (value < 0n) throw invalid(field, `must not be negative, got ${value}`);
  return value;
}

/**
 * Checks an id of a kind of object that no enabled plugin provides, so that the field can only be 0.
 *
 * @throws RpcError invalid unless `value` is 0
 *
 * @example
 * ```ts
 * import { noneField } from "edgehelm/fields";
 *
 * noneField("nodeGroupId", request.nodeGroupId);
 * ```
 */
export function noneField(field: string, value: bigint): bigint {
  if (value !== 0n) throw invalid(field, `must be 0, because no enabled plugin provides it, got ${value}`);
  return value;
}
