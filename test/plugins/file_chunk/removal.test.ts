import { as } from "edgehelm/testing";
import { describe, expect, test } from "vitest";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";
import { add, admin, bytes, chunks, clock, create, edgehelm, files, finish, idsFor, useKernel } from "./rig.ts";

useKernel();

describe("removal", () => {
  test("a file that is not finished within a day is deleted, with its chunks", async () => {
    const [unfinished, finished] = [await create(40), await create(3)];
    for (let index = 0; index < 40; index++) await add(unfinished, bytes(1));
    const { fileChunkId } = await add(finished, bytes(3));
    await finish(finished);
    clock.advance(86_401);
    const recent = await create(3);
    await edgehelm.kernel.runJob("file.remove_abandoned");
    await edgehelm.kernel.runJob("file_chunk.remove_dropped");
    expect(await idsFor(admin, unfinished)).toEqual([]);
    expect(await idsFor(admin, finished)).toEqual([fileChunkId]);
    expect((await edgehelm.call(admin, files.findEnabledFile, { fileId: recent })).file).toBeDefined();
  });

  test("a deleted user's files are deleted", async () => {
    const request = { username: "uploader", password: "a long enough password" };
    const { userId } = await edgehelm.call(admin, UserService.method.createUser, request);
    const fileId = await create(3, { owner: as.user(userId) });
    const { fileChunkId } = await add(fileId, bytes(3));
    await edgehelm.call(admin, UserService.method.deleteUser, { userId });
    await edgehelm.kernel.runJob("user.remove_deleted");
    await edgehelm.kernel.runJob("file_chunk.remove_dropped");
    expect((await edgehelm.call(admin, files.findEnabledFile, { fileId })).file).toBeUndefined();
    expect((await edgehelm.call(admin, chunks.downloadFileChunk, { fileChunkId })).fileChunk).toBeUndefined();
  });
});
