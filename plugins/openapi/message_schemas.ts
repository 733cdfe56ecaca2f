import { type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence, isWrapperDesc } from "@bufbuild/protobuf/wkt";
import { json, omitZero } from "edgehelm/proto/options_pb.js";
import type { Comments } from "edgehelm/runtime";
import { type Direction, schemaName } from "./schema_names.ts";
import { type JsonContent, jsonContentOf, textValuesOf } from "edgehelm/wire";
import { enumSchema, scalarSchema, type Schema } from "./value_schemas.ts";

/** The messages that stand for JSON of any shape. */
const PLAIN_JSON: Readonly<Record<string, Schema>> = {
  "google.protobuf.Struct": { type: "object" },
  "google.protobuf.ListValue": { type: "array", items: {} },
  "google.protobuf.Value": {},
};

/** Collects the schemas of messages, each under its name, with those of the messages in it. */
export class MessageSchemas {
  readonly #comments: Comments;
  readonly #referencePrefix: string;
  readonly #schemas = new Map<string, Schema>();

  /** @param referencePrefix what precedes a name in references, such as `#/$defs/` */
  constructor(comments: Comments, referencePrefix: string) {
    this.#comments = comments;
    this.#referencePrefix = referencePrefix;
  }

  /** The collected schemas, by name in alphabetical order. */
  get all(): Readonly<Record<string, Schema>> {
    return Object.fromEntries([...this.#schemas].sort(([one], [other]) => one < other ? -1 : 1));
  }

  /** Returns a reference to the schema of a message, which it adds if it is not there yet. */
  reference(message: DescMessage, direction: Direction): Schema {
    const name = schemaName(message, direction);
    if (!this.#schemas.has(name)) {
      // the name is taken first, because messages may contain themselves
      this.#schemas.set(name, {});
      this.#schemas.set(name, this.#message(message, direction));
    }
    return { $ref: `${this.#referencePrefix}${name}` };
  }

  #message(message: DescMessage, direction: Direction): Schema {
    const properties = message.fields.map((field) => [field.name, this.#field(field, direction)]);
    const required = direction === "request" ? [] : message.fields.filter(isAlwaysPresent).map(({ name }) => name);
    return {
      type: "object",
      ...this.#described(message.typeName),
      ...message.proto.options?.deprecated === true ? { deprecated: true } : {},
      properties: Object.fromEntries(properties),
      ...required.length > 0 && { required },
    };
  }

  #field(field: DescField, direction: Direction): Schema {
    const schema = this.#shape(field, direction);
    const described = this.#described(`${field.parent.typeName}.${field.name}`);
    const deprecated = field.proto.options?.deprecated === true ? { deprecated: true } : {};
    return { ...(direction === "request" ? orNull(schema) : schema), ...described, ...deprecated };
  }

  #shape(field: DescField, direction: Direction): Schema {
    const value = this.#value(field, direction);
    if (field.fieldKind === "list") return { type: "array", items: value };
    if (field.fieldKind === "map") return { type: "object", additionalProperties: value };
    return value;
  }

  #value(field: DescField, direction: Direction): Schema {
    if (field.enum !== undefined) return enumSchema(field.enum, direction);
    if (field.message === undefined) {
      const isJson = field.scalar === ScalarType.BYTES && field.name.endsWith("JSON");
      if (isJson) return this.#jsonBytes(field, direction);
      const values = direction === "request" ? textValuesOf(field) : [];
      return { ...scalarSchema(field.scalar!, direction), ...values.length > 0 && { enum: values } };
    }
    const plain = PLAIN_JSON[field.message.typeName];
    if (plain !== undefined) return plain;
    const isUnwrapped = field.fieldKind === "message" && field.oneof === undefined;
    if (isUnwrapped && isWrapperDesc(field.message)) return scalarSchema(field.message.fields[0].scalar, direction);
    return this.reference(field.message, direction);
  }

  /** Returns the schema of a bytes field that contains JSON. Requests may contain the JSON itself. */
  #jsonBytes(field: DescField, direction: Direction): Schema {
    const content = jsonContentOf(field);
    const json = content && this.#json(content);
    const base64 = {
      type: "string",
      contentEncoding: "base64",
      contentMediaType: "application/json",
      ...json !== undefined && { contentSchema: json },
    };
    if (direction === "response") return base64;
    return { anyOf: [base64, ...json === undefined ? [{ type: "object" }, { type: "array", items: {} }] : [json]] };
  }

  /** Returns the schema of JSON, also in responses as requests contain it: much of it is stored unchanged. */
  #json({ shapes, isList }: JsonContent): Schema {
    const schemas = shapes.map((shape) =>
      typeof shape === "string" ? { type: shape } : this.reference(shape, "request")
    );
    const [first = {}] = schemas;
    const schema = schemas.length === 1 ? first : { anyOf: schemas };
    return isList ? { type: "array", items: schema } : schema;
  }

  #described(name: string): Schema {
    const description = this.#comments[name];
    return description === undefined ? {} : { description };
  }
}

/** Returns true for the fields that responses contain even if they have no value. */
function isAlwaysPresent(field: DescField): boolean {
  if (field.fieldKind === "list" || field.fieldKind === "map") return true;
  if (field.presence !== FeatureSet_FieldPresence.IMPLICIT || getOption(field, omitZero)) return false;
  return field.scalar !== ScalarType.BYTES || getOption(field, json) === "";
}

/** Requests may contain null for a field, which is then as if it were absent. */
function orNull(schema: Schema): Schema {
  if (typeof schema.type === "string") {
    const values = schema.enum as readonly string[] | undefined;
    return { ...schema, type: [schema.type, "null"], ...values !== undefined && { enum: [...values, null] } };
  }
  const { anyOf, ...rest } = schema as { readonly anyOf?: readonly Schema[] };
  if (anyOf !== undefined) return { ...rest, anyOf: [...anyOf, { type: "null" }] };
  return Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: "null" }] };
}
