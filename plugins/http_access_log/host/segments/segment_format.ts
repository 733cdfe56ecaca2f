import { checksum } from "./codec.ts";

/** The version of the layout; a file of another one is not read. */
export const FORMAT = 1;
export const MAGIC = new TextEncoder().encode("EHLOGSEG");
/** Length and checksum of what stands before, and the magic number. */
export const TAIL = 8 + MAGIC.length;

/** Where a piece of the file lies, what it takes decompressed, and its checksum. */
export interface Section {
  readonly from: number;
  readonly length: number;
  readonly plain: number;
  readonly checksum: number;
}

/** What stands at the end of a segment file, as JSON. */
export interface SegmentFooter {
  readonly format: number;
  readonly day: number;
  readonly partition: number;
  readonly generation: number;
  readonly rows: number;
  readonly firstId: string;
  readonly lastId: string;
  /** Segments whose rows are in this one. */
  readonly replaces: readonly string[];
  readonly index: Section;
  readonly bloom: Section;
  /** Where the blocks of rows, bodies and URIs begin, and pages and postings of each column. */
  readonly blocks: number;
  readonly bodies: number;
  readonly uris: number;
  readonly pages: readonly number[];
  readonly postings: readonly number[];
}

/** What is wrong with a segment file. */
export class SegmentError extends Error {
  override readonly name = "SegmentError";
}

export function encodeFooter(footer: SegmentFooter): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(footer));
  const bytes = new Uint8Array(json.length + TAIL);
  bytes.set(json);
  const view = new DataView(bytes.buffer);
  view.setUint32(json.length, json.length, true);
  view.setUint32(json.length + 4, checksum(json), true);
  bytes.set(MAGIC, json.length + 8);
  return bytes;
}

/** @param end the last bytes of the file */
export function footerLength(end: Uint8Array): number {
  const isWhole = end.length >= TAIL && MAGIC.every((byte, at) => end[end.length - MAGIC.length + at] === byte);
  if (!isWhole) throw new SegmentError("it is cut off, or no segment");
  return new DataView(end.buffer, end.byteOffset).getUint32(end.length - TAIL, true) + TAIL;
}

export function decodeFooter(bytes: Uint8Array): SegmentFooter {
  const json = bytes.subarray(0, bytes.length - TAIL);
  const expected = new DataView(bytes.buffer, bytes.byteOffset).getUint32(json.length + 4, true);
  if (checksum(json) !== expected) throw new SegmentError("its footer is damaged");
  const footer = JSON.parse(new TextDecoder().decode(json)) as SegmentFooter;
  if (footer.format !== FORMAT) throw new SegmentError(`its format is ${footer.format}, and ${FORMAT} is known`);
  return footer;
}
