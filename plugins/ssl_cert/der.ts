/** DER that does not keep its rules. */
export class DerError extends Error {
  override readonly name = "DerError";
}

/** The most bytes of an object identifier; those in use have about ten. */
const MAX_OBJECT_ID = 64;

/** One element of DER (ITU-T X.690). */
export interface DerElement {
  readonly tag: number;
  readonly content: Uint8Array;
  /** The element with its tag and length. */
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

/** The one element that the bytes are. */
export function readDer(bytes: Uint8Array): DerElement {
  const element = elementAt(bytes, 0);
  if (element.whole.length !== bytes.length) throw new DerError("something follows the end");
  return element;
}

/** What a constructed element holds; refuses an element of another tag. */
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

/** The element, unless it is missing or has another tag. */
export function expectTag(element: DerElement | undefined, tag: number): DerElement {
  if (element?.tag === tag) return element;
  throw new DerError(`expected the tag ${tag}, got ${element?.tag ?? "nothing"}`);
}

/** An object identifier in dotted decimal. */
export function objectId(element: DerElement | undefined): string {
  const { content } = expectTag(element, TAG.objectId);
  if (content.length > MAX_OBJECT_ID) throw new DerError("it has an object identifier that is too long");
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

/** Makes an element. */
export function writeDer(tag: number, ...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return concatenated([Uint8Array.of(tag, ...lengthBytes(length)), ...parts]);
}

/** The shortest form, which DER asks for. */
function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
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
  if (tag === undefined || first === undefined) throw new DerError("it ends in the middle");
  if ((tag & 0x1f) === 0x1f) throw new DerError("it has a tag of several bytes");
  const sizeBytes = first < 0x80 ? 0 : first & 0x7f;
  if (first === 0x80 || sizeBytes > 4) throw new DerError("it has a length that is not definite");
  let length = first < 0x80 ? first : 0;
  for (let at = 0; at < sizeBytes; at++) length = length * 256 + (bytes[start + 2 + at] ?? 0);
  const from = start + 2 + sizeBytes;
  if (from + length > bytes.length) throw new DerError("it ends in the middle");
  return { tag, content: bytes.subarray(from, from + length), whole: bytes.subarray(start, from + length) };
}
