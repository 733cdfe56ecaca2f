import { ByteReader } from "../../rows/bytes.ts";
import { PrefixList } from "../../terms/prefix_list.ts";
import { endBefore, TermIndex } from "../../terms/term_pages.ts";
import { COLUMNS } from "../../terms/terms.ts";

/** Contiguous compressed parts: the end of each, and its decompressed length (`plain`). */
export interface CompressedParts {
  readonly ends: Uint32Array;
  readonly plain: Uint32Array;
}

/** The positions of all parts of a segment file. */
export class SegmentIndex {
  readonly blockIds: PrefixList;
  readonly blocks: CompressedParts;
  /** The rows with bodies, ascending, and for each the block, the start within it, and the length of the body. */
  readonly bodyRows: Uint32Array;
  readonly bodyLocations: Uint32Array;
  readonly bodyBlocks: CompressedParts;
  readonly uris: CompressedParts;
  /** The text length of each chunk of URIs. */
  readonly uriTexts: Uint32Array;
  readonly columns: readonly TermIndex[];

  constructor(bytes: Uint8Array) {
    const reader = new ByteReader(bytes);
    this.blockIds = new PrefixList(reader);
    this.blocks = readParts(reader, this.blockIds.length);
    const bodies = reader.varint();
    this.bodyRows = new Uint32Array(bodies);
    this.bodyLocations = new Uint32Array(bodies * 3);
    let row = -1;
    for (let index = 0; index < bodies; index++) {
      this.bodyRows[index] = row = row + 1 + reader.varint();
      for (let part = 0; part < 3; part++) this.bodyLocations[index * 3 + part] = reader.varint();
    }
    this.bodyBlocks = readParts(reader, reader.varint());
    const chunks = reader.varint();
    this.uriTexts = new Uint32Array(chunks);
    this.uris = readParts(reader, chunks, (chunk) => this.uriTexts[chunk] = reader.varint());
    this.columns = COLUMNS.map(() => new TermIndex(reader));
  }
}

function readParts(reader: ByteReader, count: number, more?: (index: number) => void): CompressedParts {
  const parts = { ends: new Uint32Array(count), plain: new Uint32Array(count) };
  for (let index = 0; index < count; index++) {
    parts.ends[index] = endBefore(parts.ends, index) + reader.varint();
    parts.plain[index] = reader.varint();
    more?.(index);
  }
  return parts;
}
