import { ScalarType } from "@bufbuild/protobuf";

/** The values that an integer type holds. */
export interface IntegerRange {
  readonly min: bigint;
  readonly max: bigint;
  /** Whether messages hold it as a bigint. */
  readonly isLong: boolean;
}

const INT32: IntegerRange = { min: -(2n ** 31n), max: 2n ** 31n - 1n, isLong: false };
const UINT32: IntegerRange = { min: 0n, max: 2n ** 32n - 1n, isLong: false };
const INT64: IntegerRange = { min: -(2n ** 63n), max: 2n ** 63n - 1n, isLong: true };
const UINT64: IntegerRange = { min: 0n, max: 2n ** 64n - 1n, isLong: true };

/** The range of an integer type; an enum is an int32. `undefined` for types that are no integers. */
export function integerRange(type: ScalarType): IntegerRange | undefined {
  switch (type) {
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return INT32;
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return UINT32;
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
      return INT64;
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return UINT64;
    default:
      return undefined;
  }
}

// As JSON writes an integer: no plus sign, no leading zeros, no exponent. 20 characters hold every 64-bit value.
const DECIMAL = /^-?(?:0|[1-9]\d{0,19})$/;

/** The integer that a decimal text stands for, if the range holds it. */
export function integerFromText(text: string, range: IntegerRange): bigint | undefined {
  if (!DECIMAL.test(text)) return undefined;
  const value = BigInt(text);
  return value >= range.min && value <= range.max ? value : undefined;
}
