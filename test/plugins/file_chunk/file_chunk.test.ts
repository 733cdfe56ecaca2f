import { expect, test } from "vitest";
import { add, admin, bytes, chunks, create, edgehelm, files, finish, idsFor, useKernel } from "./rig.ts";

useKernel();

test("a file is uploaded in chunks, and downloaded unchanged over every wire", async () => {
  const content = bytes(2_500_000);
  const fileId = await create(content.length);
  for (let start = 0; start < content.length; start += 2 ** 20) {
    await add(fileId, content.subarray(start, start + 2 ** 20));
  }
  await finish(fileId);
  const { file: found } = await edgehelm.call(admin, files.findEnabledFile, { fileId });
  expect(found).toMatchObject({ filename: "list.txt", size: 2_500_000n, mimeType: "text/plain", isPublic: false });
  for (const wire of ["http", "connect", "grpcweb"] as const) {
    const parts: Uint8Array[] = [];
    for (const fileChunkId of await idsFor(admin, fileId)) {
      const { fileChunk } = await edgehelm.call(admin, chunks.downloadFileChunk, { fileChunkId }, wire);
      parts.push(fileChunk!.data);
    }
    const joined = new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
    expect(parts.map(({ length }) => length)).toEqual([2 ** 20, 2 ** 20, 402_848]);
    expect(joined.every((byte, index) => byte === content[index])).toBe(true);
  }
});
