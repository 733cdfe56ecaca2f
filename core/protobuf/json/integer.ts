import { ScalarType } from "@bufbuild/protobuf";

/** The range of an integer type. */
export interface IntegerRange {
  readonly min: bigint;
  readonly max: bigint;
  /** True if messages hold the type as a bigint. */
  readonly isLong: boolean;
}

const INT32: IntegerRange = { min: -(2n ** 31n), max: 2n ** 31n - 1n, isLong: false };
const UINT32: IntegerRange = { min: 0n, max: 2n ** 32n - 1n, isLong: false };
const INT64: IntegerRange = { min: -(2n ** 63n), max: 2n ** 63n - 1n, isLong: true };
const UINT64: IntegerRange = { min: 0n, max: 2n ** 64n - 1n, isLong: true };

/** Returns the range of an integer type, or undefined for any other type. */
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

// The JSON grammar of integers: no plus sign, no leading zeros, no exponent. 20 digits suffice for 64 bits.
const DECIMAL = /^-?(?:0|[1-9]\d{0,19})$/;

/** Parses a decimal integer. Returns undefined if the text is malformed or the value out of range. */
export function integerFromText(text: string, range: IntegerRange): bigint | undefined {
  if (!DECIMAL.test(text)) return undefined;
  const value = BigInt(text);
  return value >= range.min && value <= range.max ? value : undefined;
}
