import { isObject, type Json } from "../json/value.ts";

/** The dots that are shown in place of a secret. */
export const DOTS = "••••••••";

const SECRET = /(?:secrets?|password|passphrase|token|privateKey|eabKey|webHookURL)$/i;
/** The names of headers and parameters whose values let others in. */
const SECRET_HEADER = /authorization|cookie|api-?key/i;

/** True if a field with this name contains a secret. Knowing the URL of a robot is enough to send messages through it. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name);
}

/** True if a named value, such as the header `Authorization`, contains a secret. */
export function isSecretHeader(name: string): boolean {
  return isSecretName(name) || SECRET_HEADER.test(name);
}

/** True if a field of an object contains a secret that is set. */
export function isSecretIn(object: Readonly<Record<string, Json>>, field: string): boolean {
  const value = object[field];
  if (value === "" || (typeof value !== "string" && !(typeof value === "object" && value !== null))) return false;
  if (isSecretName(field)) return true;
  return field === "value" && typeof object["name"] === "string" && isSecretHeader(object["name"]);
}

/** Returns JSON with dots in place of its secrets; the same JSON if there are none. */
export function withoutSecrets(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, own]) => [name, isSecretIn(value, name) ? DOTS : withoutSecrets(own)]),
  );
}
