const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Encodes bytes in base32 (RFC 4648) without padding. */
export function base32(bytes: Uint8Array): string {
  let [bits, length, text] = [0, 0, ""];
  for (const byte of bytes) {
    bits = (bits << 8 | byte) & 0xfff;
    for (length += 8; length >= 5; length -= 5) text += ALPHABET[bits >> (length - 5) & 31];
  }
  return length === 0 ? text : text + ALPHABET[bits << (5 - length) & 31];
}

/** Decodes base32, which must have been checked. */
export function base32Bytes(text: string): Uint8Array<ArrayBuffer> {
  let [bits, length] = [0, 0];
  const bytes: number[] = [];
  for (const character of text) {
    bits = (bits << 5 | ALPHABET.indexOf(character)) & 0xfff;
    length += 5;
    if (length < 8) continue;
    length -= 8;
    bytes.push(bits >> length & 0xff);
  }
  return new Uint8Array(bytes);
}
