import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { add, admin, bytes, chunks, create, edgehelm, files, finish, idsFor, useKernel } from "./rig.ts";

useKernel();

describe("reading", () => {
  test("a private file is visible to its owner, admins and nodes", async () => {
    const fileId = await create(3, { owner: as.user(7n) });
    const { fileChunkId } = await add(fileId, bytes(3));
    await expect(finish(fileId, as.user(8n))).rejects.toMatchObject({ code: 404 });
    await finish(fileId, as.user(7n));
    for (const caller of [as.user(7n), admin, as.node(1n), as.dns(1n)]) {
      expect(await idsFor(caller, fileId)).toEqual([fileChunkId]);
    }
    expect(await idsFor(as.user(8n), fileId)).toEqual([]);
    expect((await edgehelm.call(as.user(8n), chunks.downloadFileChunk, { fileChunkId })).fileChunk).toBeUndefined();
    expect((await edgehelm.call(as.user(8n), files.findEnabledFile, { fileId })).file).toBeUndefined();
  });

  test("a public file is visible to every user once it is finished", async () => {
    const fileId = await create(3, { isPublic: true });
    const { fileChunkId } = await add(fileId, bytes(3));
    expect(await idsFor(as.user(8n), fileId)).toEqual([]);
    await finish(fileId);
    expect(await idsFor(as.user(8n), fileId)).toEqual([fileChunkId]);
  });
});
