/** Encodes bytes as base64url without padding (RFC 4648, 5). */
export function base64UrlText(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/={1,2}$/, "");
}

/** Encodes a text in UTF-8. */
export function base64UrlOf(text: string): string {
  return base64UrlText(new TextEncoder().encode(text));
}

/** @returns undefined for what is neither base64url nor base64 */
export function base64UrlBytes(text: string): Uint8Array<ArrayBuffer> | undefined {
  const base64 = text.trim().replaceAll("-", "+").replaceAll("_", "/").replace(/={1,2}$/, "");
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}
