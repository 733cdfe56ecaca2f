import { Buffer } from "node:buffer";
import { describe, expect, test } from "vitest";
import { InstallationKey } from "../../../core/auth/installation_key.ts";
import { encryptBackup, isEncrypted, openBackup } from "../../../core/host/backup/format/encryption.ts";
import { inPieces } from "../../../core/host/backup/format/pieces.ts";

const PIECE = 1024 * 1024;
const FACTS = {
  installationId: "8b0e5b2c-1f0c-4d55-9a3e-0f7b0a3f9d11",
  madeAt: "2026-01-02T03:04:05.000Z",
  version: "0.1.0",
  tables: 3,
  rows: 14,
};

const keyOf = (byte: number) => InstallationKey.fromBytes(new Uint8Array(32).fill(byte));

async function* chunksOf(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function joined(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk.slice());
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function contentOf(bytes: number): Uint8Array {
  return Uint8Array.from({ length: bytes }, (_, at) => (at * 31 + (at >> 8)) & 255);
}

async function encrypt(content: Uint8Array, chunkBytes = 65_536): Promise<Uint8Array<ArrayBuffer>> {
  const { bytes, chunks } = await encryptBackup(
    chunksOf(content, chunkBytes),
    { ...FACTS, bytes: content.length },
    await keyOf(1),
  );
  const whole = await joined(chunks);
  expect(whole.length).toBe(bytes);
  return whole;
}

async function decrypt(encrypted: Uint8Array, chunkBytes = 65_536, key = keyOf(1)): Promise<Uint8Array> {
  const { content } = await openBackup(chunksOf(encrypted, chunkBytes), "test.backup");
  return await joined(content(await key));
}

describe("an encrypted backup", () => {
  test.each([0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE])("of %i bytes gives its content back", async (bytes) => {
    const content = contentOf(bytes);
    const encrypted = await encrypt(content, 70_001);
    expect(isEncrypted(encrypted)).toBe(true);
    // not toEqual, which compares byte by byte
    expect(Buffer.compare(await decrypt(encrypted, 999_983), content)).toBe(0);
    const { facts } = await openBackup(chunksOf(encrypted, 7), "test.backup");
    expect(facts).toEqual({ ...FACTS, bytes, keyId: (await keyOf(1)).id });
  });

  test("shows nothing of its content, and differs each time", async () => {
    const text = new TextEncoder().encode("a planted secret ".repeat(100));
    const [one, other] = [await encrypt(text), await encrypt(text)];
    expect(new TextDecoder().decode(one)).not.toContain("planted");
    expect(one.subarray(-64)).not.toEqual(other.subarray(-64));
  });

  test("is refused if a piece was moved, repeated, changed or cut off, or the first line was changed", async () => {
    const whole = await encrypt(contentOf(3 * PIECE));
    const header = whole.indexOf(10) + 1;
    const piece = (number: number) =>
      whole.subarray(header + number * (PIECE + 16), header + (number + 1) * (PIECE + 16));
    const of = (...parts: Uint8Array[]) =>
      joined((async function* () {
        yield* parts;
      })());
    const first = whole.subarray(0, header);
    const changed = whole.slice();
    changed[header + PIECE + 500]! ^= 1;
    const otherFacts = new TextEncoder().encode(new TextDecoder().decode(first).replace('"rows":14', '"rows":15'));
    const damaged: Record<string, Uint8Array> = {
      swapped: await of(first, piece(1), piece(0), piece(2)),
      repeated: await of(first, piece(0), piece(0), piece(2)),
      lacksTheLastPiece: await of(first, piece(0), piece(1)),
      lacksTheMiddle: await of(first, piece(0), piece(2)),
      lacksAByte: whole.subarray(0, -1),
      hasAByteMore: await of(whole, Uint8Array.of(0)),
      repeatsTheLastPiece: await of(whole, piece(2)),
      changed,
      otherFacts: await of(otherFacts, whole.subarray(header)),
      onlyTheFirstLine: first,
    };
    for (const [name, bytes] of Object.entries(damaged)) {
      await expect(decrypt(bytes), name).rejects.toThrow('test.backup" is damaged or incomplete: piece');
    }
  });

  test("names the key that it requires", async () => {
    const { id } = await keyOf(1);
    await expect(decrypt(await encrypt(contentOf(10)), 100, keyOf(2))).rejects.toThrow(
      `requires installation key ${id}, but the configured key is`,
    );
  });

  test.each(["", "edgehelm-encrypted-backup-1 {}\n", "SQLite format 3\0", "edgehelm-encrypted-backup-1 ".padEnd(9000)])(
    "is not %j",
    async (text) => {
      const opened = openBackup(chunksOf(new TextEncoder().encode(text), 5), "x");
      await expect(opened).rejects.toThrow("is not an encrypted backup");
    },
  );
});

test("pieces have one size except the last, which is marked", async () => {
  const pieces: [number, boolean][] = [];
  for await (const { piece, isLast } of inPieces(chunksOf(contentOf(10), 3), 4)) pieces.push([piece.length, isLast]);
  expect(pieces).toEqual([[4, false], [4, false], [2, true]]);
});
