import { type DescField, type DescMessage, type JsonValue, ScalarType } from "@bufbuild/protobuf";

const ID = /(Id|Ids|RouteCodes?|DomainNames?)$|^ids?$/;

/** Returns true for a bytes field with JSON. */
export function isJSON({ name, fieldKind, scalar }: DescField): boolean {
  return fieldKind === "scalar" && scalar === ScalarType.BYTES && name.endsWith("JSON");
}

/** Returns the paths of fields in a message that refer to objects. */
export function idPaths({ fields, typeName }: DescMessage, parents: readonly string[] = []): string[] {
  if (parents.includes(typeName) || typeName.startsWith("google.protobuf.")) return [];
  return fields.flatMap(({ name, message }) => [
    ...(ID.test(name) ? [name] : []),
    ...(message === undefined ? [] : idPaths(message, [...parents, typeName]).map((path) => `${name}.${path}`)),
  ]);
}

/** Returns the bytes of a JSON field. Several values are the items of one array, if they are arrays. */
export function jsonField(values: readonly unknown[]): Uint8Array<ArrayBuffer> {
  const value = Array.isArray(values.at(-1)) ? values.flat() : values.at(-1);
  return new TextEncoder().encode(
    JSON.stringify(value, (_key, part) => typeof part === "bigint" ? Number(part) : part),
  );
}

/** Returns all texts of a response, including those in base64, such as JSON in bytes fields. */
export function textsOf(value: JsonValue): string {
  if (typeof value === "string") return `${value}\n${decoded(value)}`;
  if (typeof value !== "object" || value === null) return "";
  return Object.entries(value).map(([name, part]) => `${name}\n${textsOf(part)}`).join("\n");
}

function decoded(text: string): string {
  if (!/^[\w+/-]{8,}={0,2}$/.test(text)) return "";
  try {
    const inner = atob(text);
    return /^[[{]/.test(inner) ? textsOf(JSON.parse(inner)) : inner;
  } catch {
    return "";
  }
}
