import type { DescField, DescMethod } from "@bufbuild/protobuf";
import type { Fields } from "./fixture.ts";

/** Fields that name a person; what a user caller says in them counts for nothing. */
const PERSONS: readonly string[] = ["userId", "adminId"];
const ID = /(Id|Ids|^id|^ids|^names)$/;

/** The fields of a request that name objects. */
export function idFields(method: DescMethod): readonly DescField[] {
  return method.input.fields.filter(({ name }) => ID.test(name) && !PERSONS.includes(name));
}

/** The fields of a request that name a person. */
export function personFields(method: DescMethod): readonly DescField[] {
  return method.input.fields.filter(({ name }) => PERSONS.includes(name));
}

/** Whether a set of fields has an opinion on this one; `undefined` for one rpc means: nothing to name there. */
export function covers(fields: Fields, method: DescMethod, name: string): boolean {
  return `${method.name}.${name}` in fields || name in fields;
}

/** The value of a field in requests of one rpc; a name for that rpc alone goes first. */
export function valueFor(fields: Fields, method: DescMethod, name: string): unknown {
  const own = `${method.name}.${name}`;
  return own in fields ? fields[own] : fields[name];
}

/** The part of a request that names objects: each field of `names` that the values cover, the first value first. */
export function naming(
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
