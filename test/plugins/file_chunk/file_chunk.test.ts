import { as, type TestCaller, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import file from "../../../plugins/file/plugin.ts";
import { FileService } from "../../../plugins/file/proto/service_file_pb.ts";
import chunk from "../../../plugins/file_chunk/plugin.ts";
import { FileChunkService } from "../../../plugins/file_chunk/proto/service_file_chunk_pb.ts";
import user from "../../../plugins/user/plugin.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";

const files = FileService.method;
const chunks = FileChunkService.method;
const admin = as.admin();
const clock = new TestClock();

let edgehelm: TestKernel;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [file, chunk, user], clock });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

async function create(
  size: number,
  { owner = admin, isPublic = false }: { owner?: TestCaller; isPublic?: boolean } = {},
) {
  const request = { filename: "list.txt", size: BigInt(size), isPublic, mimeType: "text/plain" };
  return (await edgehelm.call(owner, files.createFile, request)).fileId;
}

function add(fileId: bigint, data: Uint8Array) {
  return edgehelm.call(admin, chunks.createFileChunk, { fileId, data });
}

function finish(fileId: bigint, caller = admin) {
  return edgehelm.call(caller, files.updateFileFinished, { fileId });
}

async function idsFor(caller: TestCaller, fileId: bigint) {
  return (await edgehelm.call(caller, chunks.findAllFileChunkIds, { fileId })).fileChunkIds;
}

/** Returns a pattern in which swapped or shifted chunks are detected. */
function bytes(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (index * 7 + (index >> 8)) % 251);
}

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
    for (const fileChunkId of await idsFor(as.node(1n), fileId)) {
      const { fileChunk } = await edgehelm.call(as.node(1n), chunks.downloadFileChunk, { fileChunkId }, wire);
      parts.push(fileChunk!.data);
    }
    const joined = new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
    expect(parts.map(({ length }) => length)).toEqual([2 ** 20, 2 ** 20, 402_848]);
    expect(joined.every((byte, index) => byte === content[index])).toBe(true);
  }
});

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

test.each([
  [{ filename: "a/b.txt" }, "filename"],
  [{ filename: "" }, "filename"],
  [{ filename: "a", size: 2n ** 30n + 1n }, "size"],
  [{ filename: "a", mimeType: "text" }, "mimeType"],
])("createFile refuses %o", async (request, field) => {
  await expect(edgehelm.call(admin, files.createFile, request))
    .rejects.toMatchObject({ code: 400, message: expect.stringContaining(`${field}:`) });
});

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
