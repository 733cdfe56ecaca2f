import { type DescField, type DescMessage, type MessageShape, ScalarType } from "@bufbuild/protobuf";

/** The column of a field: flags and integers are read from the database as bigint. */
type Column<Field> = null | (Field extends boolean | bigint ? bigint : Field extends number ? bigint | number : Field);

/**
 * Returns a function that converts rows to messages. The named fields take the values of the columns with the same names:
 * flags become booleans, and integers of int32 fields numbers. A field whose column is null is left out.
 *
 * @param fields the fields that are columns; a table may have columns that no response may contain, so all are named
 * @param more returns the fields that are computed: lists, messages, amounts of money
 *
 * @example
 * ```ts
 * import { rowMessage } from "edgehelm/rows";
 *
 * const planMessage = rowMessage(PlanSchema, ["id", "name", "isOn"], (row: PlanRow) => ({ price: amountNumber(row.price) }));
 * const plan = planMessage(row);
 * ```
 */
export function rowMessage<
  Desc extends DescMessage,
  const Name extends Exclude<keyof MessageShape<Desc>, "$typeName" | "$unknown"> & string,
  Row extends { readonly [Field in Name]: Column<MessageShape<Desc>[Field]> },
  More extends object = Record<never, never>,
>(
  schema: Desc,
  fields: readonly Name[],
  more?: (row: Row) => More,
): (row: Row) => Pick<MessageShape<Desc>, Name> & More {
  const converters = fields.map((name) => [name, converterOf(schema.fields.find((field) => field.localName === name))]);
  return (row) => {
    const message: Record<string, unknown> = {};
    for (const [name, convert] of converters as [Name, (value: unknown) => unknown][]) {
      if (row[name] !== null) message[name] = convert(row[name]);
    }
    return Object.assign(message, more?.(row)) as Pick<MessageShape<Desc>, Name> & More;
  };
}

function converterOf(field: DescField | undefined): (value: unknown) => unknown {
  switch (field?.scalar) {
    case ScalarType.BOOL:
      return (value) => value === 1n;
    case ScalarType.INT32:
    case ScalarType.UINT32:
      return Number;
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return (value) => {
        if (typeof value === "number") return value;
        // an integer column for a fraction is in units of its own, such as hundredths
        throw new TypeError(`${field} is a fraction, but its column is an integer: compute the field`);
      };
    case ScalarType.STRING:
    case ScalarType.BYTES:
    case ScalarType.INT64:
    case ScalarType.UINT64:
      return (value) => value;
    default:
      throw new TypeError(`${field} cannot be a column: compute the field`);
  }
}
