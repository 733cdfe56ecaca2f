import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { isSecretName, MASKED, mayNameSecret, SECRET_MASK } from "../../base/secret_names.ts";
import { memoize } from "../../protobuf/json/memoize.ts";

type Fields = Record<string, unknown>;
/** Adds the messages of a response that contain a secret, such as `NodeGrant/3`. */
type Find = (message: Fields, found: Set<string>) => void;

const MAX_OBJECTS = 100;
const decoder = new TextDecoder();

/**
 * Returns the messages of a response with a secret that is not empty, such as `NodeGrant/3`. A secret is a text or bytes
 * field with the name of one, or a member with such a name in the JSON of a bytes field.
 */
export function shownSecrets(output: DescMessage, response: unknown): readonly string[] {
  const find = findOf(output);
  if (find === undefined || typeof response !== "object" || response === null) return [];
  const found = new Set<string>();
  find(response as Fields, found);
  return [...found];
}

const findOf = memoize((desc: DescMessage): Find | undefined => compile(desc, []));

/** Returns undefined if no message that a response contains can have a secret, which is so for most. */
function compile(desc: DescMessage, parents: readonly DescMessage[]): Find | undefined {
  if (parents.includes(desc)) return undefined;
  const finds = desc.fields.flatMap((field) => fieldFind(field, desc, [...parents, desc]) ?? []);
  return finds.length === 0 ? undefined : (message, found) => {
    for (const find of finds) if (found.size < MAX_OBJECTS) find(message, found);
  };
}

function fieldFind(field: DescField, desc: DescMessage, parents: readonly DescMessage[]): Find | undefined {
  const { localName } = field;
  if (field.fieldKind === "message" || field.fieldKind === "list" && field.listKind === "message") {
    const find = compile(field.message, parents);
    return find && ((message, found) => {
      const value = message[localName];
      if (Array.isArray(value)) { for (const item of value) find(item, found); }
      else if (value !== undefined && value !== null) find(value as Fields, found);
    });
  }
  if (field.fieldKind !== "scalar") return undefined;
  const isText = field.scalar === ScalarType.STRING || field.scalar === ScalarType.BYTES;
  const isJson = field.scalar === ScalarType.BYTES && localName.endsWith("JSON");
  const isSecret = isSecretName(isJson ? localName.slice(0, -"JSON".length) : localName);
  if (!isText || !isSecret && !isJson) return undefined;
  return (message, found) => {
    const value = message[localName] as string | Uint8Array | undefined;
    if (value === undefined || value.length === 0) return;
    if (isSecret || hasSecretMember(value as Uint8Array)) found.add(nameOf(desc, message));
  };
}

function nameOf({ name }: DescMessage, { id }: Fields): string {
  return typeof id === "bigint" && id > 0n ? `${name}/${id}` : name;
}

function hasSecretMember(bytes: Uint8Array): boolean {
  const text = decoder.decode(bytes);
  // Most have none, and parsing each JSON value of each response would cost more than reading it.
  if (!mayNameSecret(text)) return false;
  try {
    return contains(JSON.parse(text));
  } catch {
    return false;
  }
}

function contains(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) return value.some(contains);
  return Object.entries(value).some(([name, member]) =>
    isShown(member) && isSecretName(name.replace(/JSON$/, "")) || contains(member)
  );
}

function isShown(member: unknown): boolean {
  return typeof member === "string" && member !== "" && member !== MASKED && member !== SECRET_MASK;
}
