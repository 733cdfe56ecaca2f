import type { DescMessage, JsonValue } from "@bufbuild/protobuf";

/** A field of the configuration of a plugin. */
export interface PluginSetting {
  readonly name: string;
  /** The full name of the field, by which `ServedApi.comments` knows its comment. */
  readonly typeName: string;
  /** The value in the installation manifest, without secrets; undefined if it is not set. */
  readonly value: JsonValue | undefined;
}

/** The text in place of a secret. */
const HIDDEN = "••••••";
const SECRET = /pass(word|phrase)?$|secret|token|credential|(^|private|api|access|signing|encryption)_?key(s|data)?$/i;
/** A reference to a secret is none: it says where the secret is. */
const REFERENCE = /^(env:\w+|file:)/;
const MAX_DEPTH = 20;

/** Returns the configuration of a plugin by the fields of its config message, without secrets. */
export function settingsOf(schema: DescMessage | undefined, config: JsonValue | undefined): readonly PluginSetting[] {
  const values = typeof config === "object" && config !== null && !Array.isArray(config) ? config : {};
  return (schema?.fields ?? []).map((field) => {
    const value = values[field.name] ?? values[field.jsonName];
    return {
      name: field.name,
      typeName: `${schema!.typeName}.${field.name}`,
      value: value === undefined ? undefined : withoutSecrets(field.name, value),
    };
  });
}

function withoutSecrets(name: string, value: JsonValue, depth = 0): JsonValue {
  if (depth > MAX_DEPTH) return HIDDEN;
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(name, item, depth + 1));
  if (typeof value === "object" && value !== null) {
    const isSecret = SECRET.test(name);
    return Object.fromEntries(
      Object.entries(value).map(([own, item]) => [own, withoutSecrets(isSecret ? name : own, item, depth + 1)]),
    );
  }
  if (typeof value !== "string" || value === "" || REFERENCE.test(value)) return value;
  return SECRET.test(name) ? HIDDEN : withoutPassword(value);
}

/** Hides the user and the password in a URL. */
function withoutPassword(text: string): string {
  return text.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#\s]*@/i, `$1${HIDDEN}@`);
}
