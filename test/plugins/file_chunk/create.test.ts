import { describe, expect, test } from "vitest";
import { add, admin, bytes, create, edgehelm, files, finish, idsFor, useKernel } from "./rig.ts";

useKernel();

describe("createFileChunk", () => {
  test("accepts 1 MiB, and refuses more with the cause", async () => {
    const fileId = await create(2 ** 20 + 1);
    await expect(add(fileId, bytes(2 ** 20 + 1))).rejects.toMatchObject({
      code: 413,
      reason: "file_chunk.chunk_size",
      message: "data: must have 1 to 1048576 bytes, the limit of remote databases, got 1048577",
    });
    await expect(add(fileId, bytes(0))).rejects.toMatchObject({ code: 400 });
    await add(fileId, bytes(2 ** 20));
  });

  test("refuses bytes beyond the size, a finished file and an unknown one", async () => {
    const fileId = await create(10);
    await add(fileId, bytes(6));
    await expect(add(fileId, bytes(5))).rejects.toMatchObject({ code: 409, reason: "file_chunk.file_full" });
    await expect(finish(fileId)).rejects.toMatchObject({ code: 409, message: /has 6 of its 10 bytes/ });
    await add(fileId, bytes(4));
    await finish(fileId);
    await expect(add(fileId, bytes(1))).rejects.toMatchObject({ code: 409, reason: "file_chunk.file_finished" });
    await expect(add(9999n, bytes(1))).rejects.toMatchObject({ code: 404, reason: "file.not_found" });
    expect(await idsFor(admin, fileId)).toHaveLength(2);
  });

  test("enforces the size on concurrent chunks", async () => {
    const fileId = await create(50);
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => add(fileId, bytes(10))));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    await finish(fileId);
  });
});

test.each([
  [{ filename: "a/b.txt" }, "filename"],
  [{ filename: "" }, "filename"],
  [{ filename: "a", size: 2n ** 30n + 1n }, "size"],
  [{ filename: "a", mimeType: "text" }, "mimeType"],
])("createFile refuses %o", async (request, field) => {
  await expect(edgehelm.call(admin, files.createFile, request))
    .rejects.toMatchObject({ code: 400, message: expect.stringContaining(`${field}:`) });
});
