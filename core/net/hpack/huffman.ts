/** The code length of each octet in bits (RFC 7541, appendix B). The code is canonical: the lengths determine it. */
// deno-fmt-ignore
const CODE_LENGTHS = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
  13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
  15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
  20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
  22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
  26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
  20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
];
const END_OF_STRING = 256;
const END_OF_STRING_LENGTH = 30;

/** The state after bits that are not a prefix of any code. */
const DEAD = 0xffff;
const NOTHING = -1;

/** For each node of the code tree and each value of the next four bits: the next node, and the completed octet. */
const next = new Uint16Array(256 * 16).fill(DEAD);
const completes = new Int16Array(256 * 16).fill(NOTHING);
/** The nodes at which a string may end: after fewer than eight bits of padding, all ones. */
const mayEnd = new Uint8Array(256);

/** A node of the tree. Its children after 0 and 1 are the number of another node, or -1 - octet for a leaf. */
type Node = [number | undefined, number | undefined];

buildTables(buildTree());

function buildTree(): Node[] {
  const octets = [...CODE_LENGTHS, END_OF_STRING_LENGTH].map((length, octet) => ({ length, octet }));
  octets.sort((a, b) => a.length - b.length || a.octet - b.octet);
  const tree: Node[] = [[undefined, undefined]];
  let code = 0;
  let codeLength = octets[0]!.length;
  for (const { length, octet } of octets) {
    code <<= length - codeLength;
    codeLength = length;
    let node = 0;
    for (let bit = length - 1; bit > 0; bit--) {
      const side = code >>> bit & 1;
      tree[node]![side] ??= tree.push([undefined, undefined]) - 1;
      node = tree[node]![side]!;
    }
    tree[node]![code & 1] = -1 - octet;
    code++;
  }
  return tree;
}

function buildTables(tree: readonly Node[]): void {
  for (let node = 0; node < tree.length; node++) {
    for (let bits = 0; bits < 16; bits++) {
      let at = node;
      for (let bit = 3; bit >= 0; bit--) {
        const child = tree[at]![bits >>> bit & 1]!;
        if (child === -1 - END_OF_STRING) {
          at = DEAD;
          break;
        }
        if (child < 0) completes[node * 16 + bits] = -1 - child;
        at = Math.max(child, 0);
      }
      next[node * 16 + bits] = at;
    }
  }
  let node = 0;
  for (let length = 0; length < 8; length++) {
    mayEnd[node] = 1;
    node = tree[node]![1]!;
  }
}

let octets = new Uint8Array(1024);

/**
 * Decodes a string (RFC 7541, section 5.2) as Latin-1.
 *
 * @returns undefined if it contains the end-of-string code, or if its padding is too long or not all ones
 */
export function decodeHuffman(bytes: Uint8Array, start: number, end: number): string | undefined {
  const maxOctets = Math.ceil((end - start) * 8 / 5);
  if (octets.length < maxOctets) octets = new Uint8Array(maxOctets);
  let node = 0;
  let count = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    const high = node * 16 + (byte >>> 4);
    const middle = next[high]!;
    if (middle === DEAD) return undefined;
    if (completes[high] !== NOTHING) octets[count++] = completes[high]!;
    const low = middle * 16 + (byte & 15);
    node = next[low]!;
    if (node === DEAD) return undefined;
    if (completes[low] !== NOTHING) octets[count++] = completes[low]!;
  }
  return mayEnd[node] === 1 ? latin1(octets, 0, count) : undefined;
}

const MAX_ARGUMENTS = 4096;

/** Decodes octets as Latin-1. */
export function latin1(bytes: Uint8Array, start: number, end: number): string {
  if (end - start <= MAX_ARGUMENTS) return String.fromCharCode.apply(null, bytes.subarray(start, end) as never);
  let text = "";
  for (let at = start; at < end; at += MAX_ARGUMENTS) text += latin1(bytes, at, Math.min(at + MAX_ARGUMENTS, end));
  return text;
}
