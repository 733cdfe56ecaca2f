import type { DescField, DescMethod } from "@bufbuild/protobuf";
import type { Fields } from "./fixture.ts";

/** The fields that refer to a person; in requests of users they are ignored. */
const PERSON_FIELDS: readonly string[] = ["userId", "adminId"];
const ID = /(Id|Ids|^id|^ids|^names)$/;

/** Returns the fields of a request that refer to objects. */
export function idFields(method: DescMethod): readonly DescField[] {
  return method.input.fields.filter(({ name }) => ID.test(name) && !PERSON_FIELDS.includes(name));
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
  for (const { name, localName, fieldKind } of method.input.fields) {
    const values = objects.map((fields) => valueFor(fields, method, name)).filter((value) => value !== undefined);
    if (values.length > 0) request[localName] = fieldKind === "list" ? values : values.at(-1);
  }
  return request;
}
