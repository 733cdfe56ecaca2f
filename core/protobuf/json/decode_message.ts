import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { nearest } from "../../base/nearest.ts";
import { blankMessage } from "./blank_message.ts";
import { type DecodeContext, fieldDecoder } from "./decode_field.ts";
import type { Decode } from "./decode_scalar.ts";
import { expectedError, JsonError, keySegment, prefixPath, tooDeepError } from "./json_error.ts";
import { type Fields, isObject } from "./value.ts";

interface FieldPlan {
  readonly name: string;
  readonly property: string;
  /** The property of the oneof that the field belongs to. */
  readonly oneof: string | undefined;
  /** True if null is a value of the field and does not mean that the field is absent. */
  readonly takesNull: boolean;
  readonly decode: Decode;
}

/** Returns the decoder of a message type, which compiles on first use. */
export function messageDecoder(desc: DescMessage, isStrict: boolean, context: DecodeContext): Decode {
  let fields: ReadonlyMap<string, FieldPlan> | undefined;
  let blank: (() => Fields) | undefined;

  return (json, depth) => {
    if (!isObject(json)) throw expectedError("a JSON object", json);
    if (depth >= context.maxDepth) throw tooDeepError(context.maxDepth);
    fields ??= fieldsByKey(desc, context);
    blank ??= blankMessage(desc);
    const message = blank();
    let at = "";
    let isUnique = false;
    try {
      for (const key of Object.keys(json)) {
        const field = fields.get(key) ?? fields.get(key.toLowerCase());
        at = "";
        if (field !== undefined && field.name !== key && !isUnique) {
          refuseSecondSpellings(json, fields);
          isUnique = true;
        }
        at = field?.name ?? keySegment(key);
        if (field !== undefined) setField(message, field, json[key], depth + 1);
        else if (isStrict) throw unknownField(desc, key);
      }
    } catch (error) {
      throw prefixPath(error, at);
    }
    return message;
  };
}

/** Refuses an object that has a field in two spellings. At most one of them is the field's name. */
function refuseSecondSpellings(json: Fields, fields: ReadonlyMap<string, FieldPlan>): void {
  const seen = new Set<FieldPlan>();
  for (const key of Object.keys(json)) {
    const field = fields.get(key) ?? fields.get(key.toLowerCase());
    if (field === undefined) continue;
    if (seen.has(field)) throw prefixPath(new JsonError("is given twice, in different spellings"), field.name);
    seen.add(field);
  }
}

function setField(message: Fields, field: FieldPlan, json: unknown, depth: number): void {
  if (json === undefined || json === null && !field.takesNull) return;
  const value = field.decode(json, depth);
  if (field.oneof === undefined) {
    message[field.property] = value;
    return;
  }
  const other = (message[field.oneof] as { readonly case?: string }).case;
  if (other !== undefined && other !== field.property) {
    throw new JsonError(`conflicts with ${other}: only one field of ${field.oneof} may be set`);
  }
  message[field.oneof] = { case: field.property, value };
}

/** Indexes fields by their accepted spellings. If fields share a spelling, it belongs to the first. */
function fieldsByKey(desc: DescMessage, context: DecodeContext): ReadonlyMap<string, FieldPlan> {
  const plans = desc.fields.map((field) => ({ field, plan: planField(field, context) }));
  const spellings: ((field: DescField) => string)[] = [
    ({ name }) => name,
    ({ name }) => name.toLowerCase(),
    ({ jsonName }) => jsonName.toLowerCase(),
  ];
  const fields = new Map<string, FieldPlan>();
  for (const spelling of spellings) {
    for (const { field, plan } of plans) {
      if (!fields.has(spelling(field))) fields.set(spelling(field), plan);
    }
  }
  return fields;
}

function planField(field: DescField, context: DecodeContext): FieldPlan {
  return {
    name: field.name,
    property: field.localName,
    oneof: field.oneof?.localName,
    takesNull: field.fieldKind === "message" && field.message.typeName === "google.protobuf.Value",
    decode: fieldDecoder(field, context),
  };
}

function unknownField(desc: DescMessage, key: string): JsonError {
  const names = desc.fields.map(({ name }) => name);
  const near = nearest(key, names);
  if (near !== undefined) return new JsonError(`is not a known field; did you mean "${near}"?`);
  return new JsonError(`is not a known field; known fields: ${names.join(", ") || "none"}`);
}
