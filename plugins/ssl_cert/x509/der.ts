/** Thrown for malformed DER. */
export class DerError extends Error {
  override readonly name = "DerError";
}

/** The maximum size of an object identifier; common ones have about ten bytes. */
const MAX_OBJECT_ID_BYTES = 64;

/** A DER element (ITU-T X.690). */
export interface DerElement {
  readonly tag: number;
  readonly content: Uint8Array;
  /** The complete element with tag and length. */
  readonly whole: Uint8Array;
}

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  utf8: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

/** Parses bytes that consist of a single element. */
export function readDer(bytes: Uint8Array): DerElement {
  const element = elementAt(bytes, 0);
  if (element.whole.length !== bytes.length) throw new DerError("trailing bytes");
  return element;
}

/** Returns the children of a constructed element with the tag. */
export function childrenOf(element: DerElement | undefined, tag: number = TAG.sequence): DerElement[] {
  const { content } = expectTag(element, tag);
  const children: DerElement[] = [];
  for (let at = 0; at < content.length;) {
    const child = elementAt(content, at);
    children.push(child);
    at += child.whole.length;
  }
  return children;
}

/** Returns the element. Throws if it is missing or has another tag. */
export function expectTag(element: DerElement | undefined, tag: number): DerElement {
  if (element?.tag === tag) return element;
  throw new DerError(`expected tag ${tag}, got ${element?.tag ?? "nothing"}`);
}

/** Returns an object identifier in dotted decimal notation. */
export function objectId(element: DerElement | undefined): string {
  const { content } = expectTag(element, TAG.objectId);
  if (content.length > MAX_OBJECT_ID_BYTES) throw new DerError("object identifier is too long");
  const arcs: bigint[] = [];
  let arc = 0n;
  for (const byte of content) {
    arc = (arc << 7n) | BigInt(byte & 0x7f);
    if (byte < 0x80) {
      arcs.push(arc);
      arc = 0n;
    }
  }
  const [first = 0n, ...rest] = arcs;
  const root = first < 80n ? first / 40n : 2n;
  return [root, first - root * 40n, ...rest].join(".");
}

/** Encodes an element. */
export function writeDer(tag: number, ...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return concatenate([Uint8Array.of(tag, ...lengthBytes(length)), ...parts]);
}

/** Encodes a length in the shortest form, as DER requires. */
function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function elementAt(bytes: Uint8Array, start: number): DerElement {
  const [tag, first] = [bytes[start], bytes[start + 1]];
  if (tag === undefined || first === undefined) throw new DerError("unexpected end");
  if ((tag & 0x1f) === 0x1f) throw new DerError("multi-byte tags are not supported");
  const sizeBytes = first < 0x80 ? 0 : first & 0x7f;
  if (first === 0x80 || sizeBytes > 4) throw new DerError("length is indefinite or too large");
  let length = first < 0x80 ? first : 0;
  for (let at = 0; at < sizeBytes; at++) length = length * 256 + (bytes[start + 2 + at] ?? 0);
  const from = start + 2 + sizeBytes;
  if (from + length > bytes.length) throw new DerError("unexpected end");
  return { tag, content: bytes.subarray(from, from + length), whole: bytes.subarray(start, from + length) };
}
