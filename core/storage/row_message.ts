import { type DescField, type DescMessage, type MessageShape, ScalarType } from "@bufbuild/protobuf";

/** True if a column can become a field: flags and integers are read from the database as bigint. */
type Fits<Column, Field> = Field extends boolean | number | bigint
  ? bigint extends Column ? true : Column extends Field ? true : false
  : NonNullable<Column> extends Field ? true
  : false;

/** The fields of a message whose names are columns of a row. */
export type RowFields<Desc extends DescMessage, Row> = {
  readonly [
    Name in keyof Row & keyof MessageShape<Desc> as Fits<Row[Name], MessageShape<Desc>[Name]> extends true ? Name
      : never
  ]: MessageShape<Desc>[Name];
};

type Convert = (value: unknown) => unknown;

/**
 * Returns a function that converts rows to messages: each field that has the name of a column takes its value. Flags
 * become booleans, and integers of int32 fields numbers. Fields whose column is null are left out.
 *
 * @param more returns the fields that are not columns, or not as they are: lists, messages, amounts of money
 *
 * @example
 * ```ts
 * import { rowMessage } from "edgehelm/rows";
 *
 * const planMessage = rowMessage(PlanSchema, ({ price }: PlanRow) => ({ price: amountNumber(price) }));
 * const plan = planMessage(row);
 * ```
 */
export function rowMessage<Desc extends DescMessage, Row extends object, More extends object = Record<never, never>>(
  schema: Desc,
  more?: (row: Row) => More,
): <Full extends Row>(row: Full) => Omit<RowFields<Desc, Full>, keyof More> & More {
  let converters: readonly (readonly [name: string, convert: Convert])[] | undefined;
  return <Full extends Row>(row: Full) => {
    // compiled on first use, because generated code that imports itself in a circle is not ready earlier
    converters ??= schema.fields.flatMap((field) => {
      const convert = converterOf(field);
      return convert === undefined ? [] : [[field.localName, convert] as const];
    });
    const message = { ...more?.(row) } as Record<string, unknown>;
    for (const [name, convert] of converters) {
      const value = (row as Record<string, unknown>)[name];
      if (value !== undefined && value !== null && !(name in message)) message[name] = convert(value);
    }
    return message as Omit<RowFields<Desc, Full>, keyof More> & More;
  };
}

/** Returns undefined for fields that a column cannot hold. */
function converterOf(field: DescField): Convert | undefined {
  if (field.oneof !== undefined || (field.fieldKind !== "scalar" && field.fieldKind !== "enum")) return undefined;
  switch (field.scalar) {
    case ScalarType.BOOL:
      return (value) => value === 1n;
    case ScalarType.STRING:
    case ScalarType.BYTES:
    case ScalarType.INT64:
    case ScalarType.UINT64:
      return (value) => value;
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return (value) => {
        if (typeof value === "number") return value;
        // an integer column for a fraction is in units of its own, such as hundredths
        throw new TypeError(`${field} is not an integer, but its column is: compute the field`);
      };
    default:
      return Number;
  }
}
