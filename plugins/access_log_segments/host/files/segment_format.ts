import type { SegmentInfo } from "../../search/segment.ts";
import { checksum } from "./codec.ts";

/** The version of the file format; files of other versions are not read. */
export const FORMAT = 1;
export const MAGIC = new TextEncoder().encode("EHLOGSEG");
/** The size of the trailer: length and checksum of the footer, and the magic number. */
const TRAILER_BYTES = 8 + MAGIC.length;

/** A part of the file: its position, its decompressed length (`plain`), and its checksum. */
export interface Section {
  readonly from: number;
  readonly length: number;
  readonly plain: number;
  readonly checksum: number;
}

/** The JSON footer of a segment file. */
export interface SegmentFooter extends Omit<SegmentInfo, "name" | "bytes" | "removed"> {
  readonly format: number;
  /** Segments that this one replaces. */
  readonly replaces: readonly string[];
  readonly index: Section;
  readonly bloom: Section;
  /** The positions of the blocks of rows, bodies and URIs, and of the pages and postings of each column. */
  readonly blocks: number;
  readonly bodies: number;
  readonly uris: number;
  readonly pages: readonly number[];
  readonly postings: readonly number[];
}

/** An error in the content of a segment file. */
export class SegmentError extends Error {
  override readonly name = "SegmentError";
}

export function encodeFooter(footer: SegmentFooter): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(footer));
  const bytes = new Uint8Array(json.length + TRAILER_BYTES);
  bytes.set(json);
  const view = new DataView(bytes.buffer);
  view.setUint32(json.length, json.length, true);
  view.setUint32(json.length + 4, checksum(json), true);
  bytes.set(MAGIC, json.length + 8);
  return bytes;
}

/** @param end the last bytes of the file */
export function footerLength(end: Uint8Array): number {
  const isComplete = end.length >= TRAILER_BYTES &&
    MAGIC.every((byte, at) => end[end.length - MAGIC.length + at] === byte);
  if (!isComplete) throw new SegmentError("file is truncated or not a segment");
  return new DataView(end.buffer, end.byteOffset).getUint32(end.length - TRAILER_BYTES, true) + TRAILER_BYTES;
}

export function decodeFooter(bytes: Uint8Array): SegmentFooter {
  const json = bytes.subarray(0, bytes.length - TRAILER_BYTES);
  const expected = new DataView(bytes.buffer, bytes.byteOffset).getUint32(json.length + 4, true);
  if (checksum(json) !== expected) throw new SegmentError("footer is damaged");
  const footer = JSON.parse(new TextDecoder().decode(json)) as SegmentFooter;
  if (footer.format !== FORMAT) throw new SegmentError(`unsupported format ${footer.format}, expected ${FORMAT}`);
  return footer;
}
