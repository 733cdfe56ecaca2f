import { create, type DescField, type DescMessage, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import { ScalarType } from "@bufbuild/protobuf";
import { isWrapperDesc, ListValueSchema, ValueSchema } from "@bufbuild/protobuf/wkt";
import { type Encode, quote, refuse, scalarEncoder } from "./encode_scalar.ts";

/** @param message gives the encoder of a message type, which may still be uncompiled */
export function fieldEncoder(field: DescField, message: (desc: DescMessage) => Encode): Encode {
  const where = `${field.parent.typeName}.${field.name}`;
  const value = valueEncoder(field, where, message);
  switch (field.fieldKind) {
    case "list":
      return listEncoder(value, where);
    case "map":
      return mapEncoder(value, where);
    default:
      return value;
  }
}

/** Writes the field's own value, or one item of its list or map. */
function valueEncoder(field: DescField, where: string, message: (desc: DescMessage) => Encode): Encode {
  if (field.message === undefined) return scalarEncoder(field.scalar ?? ScalarType.INT32, where);
  const desc = field.message;
  if (field.fieldKind === "message" && field.oneof === undefined && isWrapperDesc(desc)) {
    return scalarEncoder(desc.fields[0].scalar, where);
  }
  const plain = plainText(desc);
  const encode = plain === undefined ? message(desc) : guarded(plain, where);
  return (value) =>
    typeof value === "object" && !Array.isArray(value) ? encode(value) : refuse(where, "an object", value);
}

function listEncoder(item: Encode, where: string): Encode {
  return (value) => {
    if (!Array.isArray(value)) return refuse(where, "an array", value);
    let text = "[";
    for (const one of value) text += (text.length === 1 ? "" : ",") + item(one ?? refuse(where, "no gaps", one));
    return `${text}]`;
  };
}

function mapEncoder(item: Encode, where: string): Encode {
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return refuse(where, "an object", value);
    let text = "{";
    for (const [key, one] of Object.entries(value)) {
      text += `${text.length === 1 ? "" : ","}${quote(key)}:${item(one ?? refuse(where, "no gaps", one))}`;
    }
    return `${text}}`;
  };
}

/** How the messages are written that are plain JSON themselves. */
function plainText(desc: DescMessage): Encode | undefined {
  switch (desc.typeName) {
    case "google.protobuf.Struct":
      return JSON.stringify;
    case "google.protobuf.Value":
      return (value) =>
        JSON.stringify(toJson(ValueSchema, create(ValueSchema, value as MessageInitShape<typeof ValueSchema>)));
    case "google.protobuf.ListValue":
      return (value) =>
        JSON.stringify(
          toJson(ListValueSchema, create(ListValueSchema, value as MessageInitShape<typeof ListValueSchema>)),
        );
    default:
      return undefined;
  }
}

function guarded(plain: Encode, where: string): Encode {
  return (value) => {
    try {
      return plain(value);
    } catch (error) {
      throw new TypeError(`${where}: expected plain JSON`, { cause: error });
    }
  };
}
