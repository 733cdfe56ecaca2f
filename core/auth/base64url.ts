import { base64url } from "jose";

/** Encodes bytes as base64url without padding (RFC 4648, section 5). */
export function encodeBase64url(bytes: Uint8Array): string {
  return base64url.encode(bytes);
}

/**
 * Decodes canonical base64url only: no padding, no whitespace, and no stray bits in the last character. Each value
 * therefore has exactly one text, and comparing or caching the text is the same as comparing or caching the value.
 *
 * @returns undefined if the text is not canonical
 */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const bytes = new Uint8Array(base64url.decode(text));
  return encodeBase64url(bytes) === text ? bytes : undefined;
}
