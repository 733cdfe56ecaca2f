import { STATIC_TABLE } from "./tables.ts";

/** The first index of each name in the static table. */
const byName = new Map<string, number>();
/** The index of each field in the static table. */
const byField = new Map<string, number>();
STATIC_TABLE.forEach(({ name, value }, index) => {
  if (!byName.has(name)) byName.set(name, index + 1);
  if (value !== "") byField.set(`${name}\n${value}`, index + 1);
});

/**
 * Encodes fields without the dynamic table and without Huffman coding (RFC 7541, section 6.2.2), so that the same block
 * can be sent on every connection.
 *
 * @param fields lower-case names with their values; characters above 0xff are not allowed
 */
export function encodeHeaderBlock(fields: readonly (readonly [name: string, value: string])[]): Uint8Array {
  const bytes: number[] = [];
  for (const [name, value] of fields) {
    const fieldIndex = byField.get(`${name}\n${value}`);
    if (fieldIndex !== undefined) {
      writeInteger(bytes, 0x80, 7, fieldIndex);
      continue;
    }
    const nameIndex = byName.get(name);
    writeInteger(bytes, 0x00, 4, nameIndex ?? 0);
    if (nameIndex === undefined) writeString(bytes, name);
    writeString(bytes, value);
  }
  return Uint8Array.from(bytes);
}

/** The table size update that disables the dynamic table, whatever size the peer allows (section 6.3). */
export const NO_DYNAMIC_TABLE: Uint8Array = Uint8Array.of(0x20);

function writeString(bytes: number[], text: string): void {
  writeInteger(bytes, 0x00, 7, text.length);
  for (let at = 0; at < text.length; at++) bytes.push(text.charCodeAt(at));
}

function writeInteger(bytes: number[], pattern: number, prefixBits: number, value: number): void {
  const mask = (1 << prefixBits) - 1;
  if (value < mask) {
    bytes.push(pattern | value);
    return;
  }
  bytes.push(pattern | mask);
  for (value -= mask; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push(value & 0x7f | 0x80);
  bytes.push(value);
}
