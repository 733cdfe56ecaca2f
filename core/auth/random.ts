const ALPHANUMERICS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
// Bytes from here on are discarded: their remainder would favour the first characters.
const FIRST_BIASED_BYTE = 256 - 256 % ALPHANUMERICS.length;

/**
 * Generates the id of an access key, its public half: 16 letters and digits.
 *
 * @example
 * ```ts
 * const key = { uniqueId: newAccessKeyId(), secret: newAccessKeySecret() };
 * ```
 */
export function newAccessKeyId(): string {
  return randomAlphanumerics(16);
}

/**
 * Generates the secret of an access key: 32 letters and digits, which hold 190 bits of entropy.
 *
 * @example
 * ```ts
 * const secret = newAccessKeySecret();
 * await store.insert.run(call, { uniqueId, sealedSecret: await secrets.seal(uniqueId, secret) });
 * ```
 */
export function newAccessKeySecret(): string {
  return randomAlphanumerics(32);
}

/**
 * Generates letters and digits with a cryptographically secure random source. Each of the 62 characters is equally
 * likely.
 *
 * @param length the number of characters
 *
 * @example
 * ```ts
 * const uniqueId = randomAlphanumerics(32);
 * ```
 */
export function randomAlphanumerics(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length - text.length))) {
      if (byte < FIRST_BIASED_BYTE) text += ALPHANUMERICS[byte % ALPHANUMERICS.length];
    }
  }
  return text;
}

/**
 * Compares two secrets in constant time, so that timing reveals neither their content nor their length.
 *
 * @returns true if they are equal
 *
 * @example
 * ```ts
 * if (!await constantTimeEqual(storedSecret, request.secret)) throw errors.wrong_secret();
 * ```
 */
export async function constantTimeEqual(first: string, second: string): Promise<boolean> {
  // Digests have the same length, whatever the length of the secrets.
  const [firstDigest, secondDigest] = await Promise.all([digest(first), digest(second)]);
  let difference = 0;
  for (const [index, byte] of firstDigest.entries()) difference |= byte ^ secondDigest[index]!;
  return difference === 0;
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
