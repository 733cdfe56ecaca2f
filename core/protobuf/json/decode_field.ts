import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { listDecoder, mapDecoder } from "./decode_container.ts";
import { jsonBytesDecoder, plainMessageDecoder } from "./decode_plain.ts";
import { type Decode, decodeString, enumDecoder, scalarDecoder } from "./decode_scalar.ts";
import { expectedError } from "./json_error.ts";

/** The part of a codec that its field decoders use. */
export interface DecodeContext {
  readonly maxDepth: number;
  /** Returns the decoder of a message type. It compiles on first use, since message types may be recursive. */
  message(desc: DescMessage): Decode;
}

export function fieldDecoder(field: DescField, context: DecodeContext): Decode {
  const value = valueDecoder(field, context);
  switch (field.fieldKind) {
    case "list":
      return listDecoder(value, context.maxDepth);
    case "map":
      return mapDecoder(keyDecoder(field.mapKey), value, context.maxDepth);
    default:
      return value;
  }
}

/** Decodes the field's own value, or one item of its list or map. */
function valueDecoder(field: DescField, context: DecodeContext): Decode {
  if (field.message !== undefined) return messageDecoder(field, field.message, context);
  if (field.enum !== undefined) return enumDecoder(field.enum);
  const decode = scalarDecoder(field.scalar);
  if (field.scalar === ScalarType.BYTES && field.name.endsWith("JSON")) {
    return jsonBytesDecoder(decode, context.maxDepth);
  }
  if (field.fieldKind !== "map" && field.longAsString) return (json, depth) => String(decode(json, depth));
  return decode;
}

function messageDecoder(field: DescField, desc: DescMessage, context: DecodeContext): Decode {
  // protobuf-es unwraps wrapper messages in singular fields only.
  if (field.fieldKind === "message" && field.oneof === undefined && isWrapperDesc(desc)) {
    return scalarDecoder(desc.fields[0].scalar);
  }
  return plainMessageDecoder(desc, context.maxDepth) ?? context.message(desc);
}

/** Returns the decoder of map keys, which are JSON strings regardless of their type. */
function keyDecoder(type: ScalarType): Decode {
  if (type === ScalarType.STRING) return decodeString;
  if (type !== ScalarType.BOOL) return scalarDecoder(type);
  return (key) => {
    if (key !== "true" && key !== "false") throw expectedError("true or false as key", key);
    return key;
  };
}
