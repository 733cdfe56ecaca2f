/**
 * Writes bytes as lower-case hexadecimal digits, two for each, such as the text of a digest. Runtimes have
 * `Uint8Array.prototype.toHex` since ECMAScript 2026 only.
 *
 * @param bytes any bytes
 *
 * @example
 * ```ts
 * import { equal } from "node:assert/strict";
 * import { hexText } from "edgehelm/wire";
 *
 * equal(hexText(Uint8Array.of(0, 10, 255)), "000aff");
 * ```
 */
export function hexText(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
