import { base64url } from "jose";

/** Encodes without padding. */
export function encodeBase64url(bytes: Uint8Array): string {
  return base64url.encode(bytes);
}

/**
 * Decodes the canonical form only: no padding, no spaces, no stray bits in the last character. So one value has one
 * text, and whoever compares or caches the text compares the value.
 *
 * @returns undefined for any other text
 */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const bytes = new Uint8Array(base64url.decode(text));
  return encodeBase64url(bytes) === text ? bytes : undefined;
}
