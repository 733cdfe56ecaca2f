import type { DescMessage, JsonValue } from "@bufbuild/protobuf";

const ID = /(Id|Ids|^id|^ids)$/;

/** Returns the paths of the id fields of a message and of the messages in it, except below ignored paths. */
export function idPaths(message: DescMessage, ignored: readonly string[], prefix = ""): string[] {
  return message.fields.flatMap((field) => {
    const path = prefix + field.name;
    if (ignored.includes(path)) return [];
    if (ID.test(field.name)) return [path];
    return field.message === undefined ? [] : idPaths(field.message, ignored, `${path}.`);
  });
}

/** Returns true if a request in JSON has a value at a path; in a list, in any item. */
export function hasPath(value: JsonValue | undefined, path: string): boolean {
  if (path === "") return value !== undefined;
  if (Array.isArray(value)) return value.some((item) => hasPath(item, path));
  if (typeof value !== "object" || value === null) return false;
  const [name, ...rest] = path.split(".") as [string, ...string[]];
  return hasPath(value[name], rest.join("."));
}

/** Returns the texts of a response, including those in its bytes. */
export function textsOf(value: JsonValue): string {
  if (typeof value === "string") return `${value}\n${decoded(value)}`;
  if (typeof value !== "object" || value === null) return String(value);
  return Object.values(value).map((item) => textsOf(item as JsonValue)).join("\n");
}

function decoded(text: string): string {
  try {
    return atob(text);
  } catch {
    return "";
  }
}
