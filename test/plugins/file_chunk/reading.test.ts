import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { add, admin, bytes, chunks, create, edgehelm, files, finish, idsFor, useKernel } from "./rig.ts";

useKernel();

describe("reading", () => {
  test("a private file is visible to its owner and admins, but neither to other users nor to nodes", async () => {
    const fileId = await create(3, { owner: as.user(7n) });
    const { fileChunkId } = await add(fileId, bytes(3));
    await expect(finish(fileId, as.user(8n))).rejects.toMatchObject({ code: 404 });
    await finish(fileId, as.user(7n));
    for (const caller of [as.user(7n), admin]) {
      expect(await idsFor(caller, fileId)).toEqual([fileChunkId]);
    }
    for (const caller of [as.user(8n), as.node(1n), as.dns(1n)]) {
      expect(await idsFor(caller, fileId)).toEqual([]);
      expect((await edgehelm.call(caller, chunks.downloadFileChunk, { fileChunkId })).fileChunk).toBeUndefined();
      expect((await edgehelm.call(caller, files.findEnabledFile, { fileId })).file).toBeUndefined();
    }
  });

  test("a public file is visible to every user and node once it is finished", async () => {
    const fileId = await create(3, { isPublic: true });
    const { fileChunkId } = await add(fileId, bytes(3));
    const callers = [as.user(8n), as.node(1n), as.dns(1n)];
    for (const caller of callers) expect(await idsFor(caller, fileId)).toEqual([]);
    await finish(fileId);
    for (const caller of callers) expect(await idsFor(caller, fileId)).toEqual([fileChunkId]);
  });
});
