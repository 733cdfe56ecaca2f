import type { DescMessage } from "@bufbuild/protobuf";
import type { ListValue, Value } from "@bufbuild/protobuf/wkt";
import { throwTypeError } from "./encode_scalar.ts";
import { fromListValue, fromValue } from "./plain_value.ts";
import { isRecord } from "./value.ts";

type Text = (value: unknown) => string;

/** Returns the encoder of a message type that represents plain JSON, or undefined for any other type. */
export function plainMessageText(desc: DescMessage, where: string): Text | undefined {
  switch (desc.typeName) {
    case "google.protobuf.Struct":
      return guarded(JSON.stringify, where);
    case "google.protobuf.Value":
      return guarded((value) => JSON.stringify(fromValue(value as Value)), where);
    case "google.protobuf.ListValue":
      return guarded((value) => JSON.stringify(fromListValue(value as ListValue)), where);
    default:
      return undefined;
  }
}

/** Adds the name of the field to the error for a value that JSON cannot represent, such as a bigint. */
function guarded(text: Text, where: string): Text {
  return (value) => {
    if (!isRecord(value)) return throwTypeError(where, "an object", value);
    try {
      return text(value);
    } catch (error) {
      throw new TypeError(`${where}: expected plain JSON`, { cause: error });
    }
  };
}
