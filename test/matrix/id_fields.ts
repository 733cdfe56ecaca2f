import type { DescField, DescMethod } from "@bufbuild/protobuf";
import type { Fields } from "./fixture.ts";
import { idPaths, isJSON, jsonField } from "./json_fields.ts";

/** The fields that refer to a person; in requests of users they are ignored. */
const PERSON_FIELDS: readonly string[] = ["userId", "adminId"];
const ID = /(Id|Ids|RouteCodes?|^id|^ids|^names)$/;

/** Returns the fields of a request that refer to objects, or whose JSON or messages may do so. */
export function idFields(method: DescMethod): readonly DescField[] {
  return method.input.fields.filter((field) =>
    (ID.test(field.name) && !PERSON_FIELDS.includes(field.name)) || isJSON(field) ||
    (field.message !== undefined && idPaths(field.message).length > 0)
  );
}

/** Returns the fields of a request that refer to a person. */
export function personFields(method: DescMethod): readonly DescField[] {
  return method.input.fields.filter(({ name }) => PERSON_FIELDS.includes(name));
}

/** Returns true if the values cover a field of an rpc; `undefined` for an rpc covers a field that refers to no object. */
export function covers(fields: Fields, method: DescMethod, name: string): boolean {
  return `${method.name}.${name}` in fields || name in fields;
}

/** Returns the value of a field for an rpc; a value for this rpc takes precedence. */
export function valueFor(fields: Fields, method: DescMethod, name: string): unknown {
  const own = `${method.name}.${name}`;
  return own in fields ? fields[own] : fields[name];
}

/** Returns the fields of a request that refer to objects. Lists contain all values, other fields the last one. */
export function referencesTo(
  method: DescMethod,
  ...objects: readonly Fields[]
): Readonly<Record<string, unknown>> {
  const request: Record<string, unknown> = {};
  for (const field of method.input.fields) {
    const { name, localName, fieldKind } = field;
    const values = objects.map((fields) => valueFor(fields, method, name)).filter((value) => value !== undefined);
    if (values.length === 0) continue;
    request[localName] = isJSON(field) ? jsonField(values) : fieldKind === "list" ? values : values.at(-1);
  }
  return request;
}
