import type { DescField, DescMessage, DescMethod, DescMethodUnary } from "@bufbuild/protobuf";
import { ScalarType } from "@bufbuild/protobuf";
import { isUnary } from "../../harness/outcome.ts";

export type Message = Readonly<Record<string, unknown>>;

/** A message inside an object of a response. */
export interface NestedMessage {
  /** The names of the fields from the response to the message. */
  readonly path: string;
  readonly desc: DescMessage;
  readonly message: Message;
  /** 1 for the objects of a response, 2 for what is in them, and so on. */
  readonly depth: number;
}

/** Finds an object by its id. */
export interface Find {
  readonly method: DescMethodUnary;
  readonly idField: string;
  readonly resultField: string;
}

/** Returns the operation that finds a message of each type by its id, as far as there is one. */
export function findsOf(methods: readonly DescMethod[]): ReadonlyMap<string, Find> {
  const finds = new Map<string, Find>();
  for (const method of methods) {
    const [idField, ...others] = method.input.fields;
    const results = method.output.fields.filter(({ fieldKind }) => fieldKind === "message");
    if (!isUnary(method) || idField?.scalar !== ScalarType.INT64 || others.length > 0 || results.length !== 1) continue;
    const typeName = results[0]!.message!.typeName;
    const [, name = ""] = /\.(\w+)$/.exec(typeName) ?? [];
    if (idField.name.toLowerCase() !== `${name}Id`.toLowerCase()) continue;
    if (![`find${name}`, `findEnabled${name}`].includes(method.name)) continue;
    finds.set(typeName, { method, idField: idField.localName, resultField: results[0]!.localName });
  }
  return finds;
}

/** Returns every object in a response, and those inside them; only types with an operation that finds them count. */
export function nestedIn(
  desc: DescMessage,
  message: Message,
  finds: ReadonlyMap<string, Find>,
  parent = { path: "", depth: 0 },
): NestedMessage[] {
  return desc.fields.flatMap((field) => {
    if (field.message === undefined || field.oneof !== undefined) return [];
    const values = valuesOf(field, message[field.localName]);
    const path = `${parent.path}${parent.path === "" ? "" : "."}${field.name}`;
    return values.flatMap((inner) => {
      const isObject = finds.has(field.message!.typeName);
      const depth = parent.depth + (isObject ? 1 : 0);
      const found = isObject ? [{ path, desc: field.message!, message: inner, depth }] : [];
      return [...found, ...nestedIn(field.message!, inner, finds, { path, depth })];
    });
  });
}

function valuesOf(field: DescField, value: unknown): readonly Message[] {
  if (value === undefined) return [];
  return (field.fieldKind === "message" ? [value] : Object.values(value as object)) as readonly Message[];
}
