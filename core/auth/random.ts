const ALPHANUMERICS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
// The largest multiple of 62 in a byte: taking the remainder of higher bytes would favour the first characters.
const UNBIASED = 256 - 256 % ALPHANUMERICS.length;

/** The public half of an access key: 16 alphanumerics. */
export function newAccessKeyId(): string {
  return randomAlphanumerics(16);
}

/** The secret half of an access key: 32 alphanumerics, 190 bits. */
export function newAccessKeySecret(): string {
  return randomAlphanumerics(32);
}

/** Letters and digits, each equally likely, from the cryptographic random source. */
export function randomAlphanumerics(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length - text.length))) {
      if (byte < UNBIASED) text += ALPHANUMERICS[byte % ALPHANUMERICS.length];
    }
  }
  return text;
}

/** Compares secrets in a time that depends on neither's content; both are digested first, so lengths do not tell. */
export async function constantTimeEqual(one: string, other: string): Promise<boolean> {
  const [left, right] = await Promise.all([digest(one), digest(other)]);
  let difference = 0;
  for (const [at, byte] of left.entries()) difference |= byte ^ right[at]!;
  return difference === 0;
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
