import { choiceField, invalid, textField } from "edgehelm";
import { hostNameField } from "edgehelm/fields";
import { hexText } from "edgehelm/wire";

/** The algorithms of RFC 8945, with the length of a random secret in bytes. */
const ALGORITHMS = {
  "hmac-sha1.": 20,
  "hmac-sha224.": 28,
  "hmac-sha256.": 32,
  "hmac-sha384.": 48,
  "hmac-sha512.": 64,
} as const;
export type Algorithm = keyof typeof ALGORITHMS;

export const SECRET_TYPES = ["clear", "base64"] as const;
export type SecretType = (typeof SECRET_TYPES)[number];

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Checks an algorithm. The trailing dot is optional. */
export function algorithmField(field: string, value: string): Algorithm {
  const name = value.trim().toLowerCase();
  return choiceField(field, name.endsWith(".") ? name : `${name}.`, Object.keys(ALGORITHMS) as Algorithm[]);
}

/** Checks the name of a key, which must be a host name. */
export function keyNameField(field: string, value: string): string {
  return hostNameField(field, textField(field, value, { min: 1, max: 253 }));
}

/** Checks that a secret has the encoding of its type. */
export function secretField(field: string, value: string, type: SecretType): string {
  const secret = textField(field, value, { min: 1, max: 1024 });
  if (type === "base64" && !BASE64.test(secret)) throw invalid(field, "must be base64, which secretType requires");
  return secret;
}

/** Returns a random secret with the length of the algorithm's hash. */
export function newSecret(algorithm: Algorithm, type: SecretType): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ALGORITHMS[algorithm]));
  if (type === "base64") return btoa(String.fromCharCode(...bytes));
  return hexText(bytes);
}
