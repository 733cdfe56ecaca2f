import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { HpackDecoder } from "../../../../core/net/hpack/decoder.ts";
import { encodeHeaderBlock } from "../../../../core/net/hpack/encoder.ts";
import { random, texts } from "../http2/random.ts";

type Field = { name: string; value: string };
/** The part of hpack.js that the test uses: streams in object mode. */
interface ReferenceEncoder {
  write(fields: readonly (Field & { huffman: boolean; incremental: boolean })[]): void;
  read(): Uint8Array | null;
}
interface ReferenceDecoder {
  write(bytes: Uint8Array): void;
  execute(): void;
  read(): Field | null;
}
const hpack: {
  compressor: { create(options: object): ReferenceEncoder };
  decompressor: { create(options: object): ReferenceDecoder };
} = createRequire(import.meta.url)("hpack.js");

function fieldsOf(next: () => number): Field[] {
  return Array.from({ length: 1 + next() % 20 }, () => ({ name: texts.name(next), value: texts.value(next) }));
}

test("decodes what hpack.js encodes with a dynamic table and Huffman coding", () => {
  const next = random(20_261_121);
  const encoder = hpack.compressor.create({ table: { maxSize: 1024 } });
  const decoder = new HpackDecoder(1024, 2 ** 20);
  for (let round = 0; round < 500; round++) {
    const fields = fieldsOf(next);
    encoder.write(fields.map((field) => ({ ...field, huffman: next() % 2 === 0, incremental: next() % 3 > 0 })));
    const parts: number[] = [];
    for (let part = encoder.read(); part !== null; part = encoder.read()) parts.push(...part);
    const bytes = Uint8Array.from(parts);
    const decoded = decoder.decode(bytes, 0, bytes.length).fields.map(({ name, value }) => ({ name, value }));
    expect(decoded).toEqual(fields);
  }
});

test("encodes what hpack.js decodes", () => {
  const next = random(7);
  const decoder = hpack.decompressor.create({ table: { maxSize: 1024 } });
  for (let round = 0; round < 200; round++) {
    const fields = fieldsOf(next);
    decoder.write(encodeHeaderBlock(fields.map(({ name, value }) => [name, value])));
    decoder.execute();
    const decoded: Field[] = [];
    for (let field = decoder.read(); field !== null; field = decoder.read()) {
      decoded.push({ name: field.name, value: field.value });
    }
    expect(decoded).toEqual(fields);
  }
});
