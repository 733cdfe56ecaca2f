import { Buffer } from "node:buffer";
import { Bytes, isObject, Secret } from "./values.ts";

/** The content that an export writes beside the files of kinds. */
export interface Aside {
  /** The content of other files by their path in the folder. */
  readonly files: Map<string, Buffer>;
  /** The values of secrets by name. */
  readonly secrets: Map<string, unknown>;
}

/** Returns a value as a file has it: secrets and bytes are named, and kept aside. */
export function fileValue(value: unknown, path: string, aside: Aside): unknown {
  if (value instanceof Secret) {
    if (value.value !== undefined) aside.secrets.set(path, value.value);
    return { secret: path };
  }
  if (value instanceof Bytes) {
    const file = `files/${path.split("/").map(plainName).join("/")}`;
    aside.files.set(file, Buffer.from(value.base64, "base64"));
    return { file };
  }
  if (Array.isArray(value)) return value.map((item, index) => fileValue(item, `${path}.${index + 1}`, aside));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, fileValue(item, `${path}.${name}`, aside)]),
  );
}

/** Returns a name that every file system takes. */
function plainName(name: string): string {
  const plain = encodeURIComponent(name).replaceAll(/[*~'()!]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return plain.replace(/^\.+/, (dots) => "%2e".repeat(dots.length)) || "%";
}
