import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { isConstant } from "./constant_message.ts";
import { plainMessageText } from "./encode_plain.ts";
import { type Append, quote, scalarAppender, throwTypeError } from "./encode_scalar.ts";
import { type Fields, isRecord } from "./value.ts";

/** Appends a message's fields and its closing brace to a text that ends in its opening one. */
export type AppendMessage = (text: string, message: Fields) => string;

/** Returns the appender of a message type. It compiles on first use. */
export type MessageAppenders = (desc: DescMessage) => AppendMessage;

/**
 * Returns the appender of a field.
 *
 * @param prefix the name of the field and a colon, preceded by a comma if another field comes before
 */
export function fieldAppender(field: DescField, prefix: string, messages: MessageAppenders): Append {
  const where = `${field.parent.typeName}.${field.name}`;
  switch (field.fieldKind) {
    case "list":
      return listAppender(field, prefix, where, messages);
    case "map":
      return mapAppender(field, prefix, where, messages);
    default:
      return valueAppender(field, prefix, where, messages);
  }
}

/** Appends the field's own value, or one item of its list or map. */
function valueAppender(field: DescField, prefix: string, where: string, messages: MessageAppenders): Append {
  const desc = field.message;
  if (desc === undefined) return scalarAppender(field.scalar ?? ScalarType.INT32, prefix, where);
  if (field.fieldKind === "message" && field.oneof === undefined && isWrapperDesc(desc)) {
    return scalarAppender(desc.fields[0].scalar, prefix, where);
  }
  const plain = plainMessageText(desc, where);
  if (plain !== undefined) return (text, value) => text + prefix + plain(value);
  const append = messages(desc);
  const opened = `${prefix}{`;
  const constantTexts = new WeakMap<object, string>();
  return (text, value) => {
    if (!isRecord(value)) return throwTypeError(where, "an object", value);
    if (!isConstant(value)) return append(text + opened, value);
    let constant = constantTexts.get(value);
    if (constant === undefined) constantTexts.set(value, constant = append(opened, value));
    return text + constant;
  };
}

function listAppender(field: DescField, prefix: string, where: string, messages: MessageAppenders): Append {
  const first = valueAppender(field, `${prefix}[`, where, messages);
  const next = valueAppender(field, ",", where, messages);
  const empty = `${prefix}[]`;
  return (text, value) => {
    if (!Array.isArray(value)) return throwTypeError(where, "an array", value);
    if (value.length === 0) return text + empty;
    let append = first;
    for (const item of value) {
      text = append(text, item);
      append = next;
    }
    return `${text}]`;
  };
}

function mapAppender(field: DescField, prefix: string, where: string, messages: MessageAppenders): Append {
  const append = valueAppender(field, ":", where, messages);
  return (text, value) => {
    if (!isRecord(value)) return throwTypeError(where, "an object", value);
    let separator = `${prefix}{`;
    for (const key of Object.keys(value)) {
      text = append(text + separator + quote(key), value[key]);
      separator = ",";
    }
    return separator === "," ? `${text}}` : `${text}${separator}}`;
  };
}
