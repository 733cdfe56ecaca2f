import { choiceField, hostNameField, invalid, textField } from "edgehelm";

/** Algorithms of RFC 8945, and how long a random secret of each is. */
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

/** Checks an algorithm; the dot at its end may be left out. */
export function algorithmField(field: string, value: string): Algorithm {
  const name = value.trim().toLowerCase();
  return choiceField(field, name.endsWith(".") ? name : `${name}.`, Object.keys(ALGORITHMS) as Algorithm[]);
}

/** Checks the name of a key: that of a host, underscores apart. */
export function keyNameField(field: string, value: string): string {
  return hostNameField(field, textField(field, value, { min: 1, max: 253 }));
}

/** Checks a secret against how it is written. */
export function secretField(field: string, value: string, type: SecretType): string {
  const secret = textField(field, value, { min: 1, max: 1024 });
  if (type === "base64" && !BASE64.test(secret)) throw invalid(field, "must be base64, as secretType says");
  return secret;
}

/** A random secret, as long as the algorithm's hash. */
export function newSecret(algorithm: Algorithm, type: SecretType): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ALGORITHMS[algorithm]));
  if (type === "base64") return btoa(String.fromCharCode(...bytes));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
