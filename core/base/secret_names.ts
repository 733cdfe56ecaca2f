const SECRET_NAME =
  /secret|passw|passphrase|token|private_?key|key_?data|sealed|credential|(?:api|auth|access|hmac|eab)_?key|authorization|cookie|otp/i;
/** Endings of names of identifiers, times and settings. */
const PUBLIC_NAME = /(?:Id|Ids|IDs?|At|Count|Seconds|Mode|Type|State|Status|From|Hint|Length|Name|For)$/;

/** The text in the place of a secret in the audit log. */
export const MASKED = "(masked)";

/**
 * The text in the place of a stored secret in a response. An operation that gets it back keeps the stored secret.
 *
 * @example
 * ```ts
 * const next = password === SECRET_MASK ? stored.password : password;
 * ```
 */
export const SECRET_MASK = "******";

/** Returns true if a column, field or member of a JSON object has the name of a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) && !PUBLIC_NAME.test(name);
}

/** Returns true if a JSON text may contain a member with the name of a secret; false only if it certainly does not. */
export function mayNameSecret(json: string): boolean {
  // An escape may hide a letter of a name.
  return SECRET_NAME.test(json) || json.includes("\\");
}
