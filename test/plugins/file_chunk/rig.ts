import { as, type TestCaller, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll } from "vitest";
import file from "../../../plugins/file/plugin.ts";
import { FileService } from "../../../plugins/file/proto/service_file_pb.ts";
import chunk from "../../../plugins/file_chunk/plugin.ts";
import { FileChunkService } from "../../../plugins/file_chunk/proto/service_file_chunk_pb.ts";
import user from "../../../plugins/user/plugin.ts";

export const files = FileService.method;
export const chunks = FileChunkService.method;
export const admin = as.admin();
export const clock = new TestClock();

export let edgehelm: TestKernel;

/** Opens the kernel before the tests of a file, and closes it after them. */
export function useKernel(): void {
  beforeAll(async () => {
    edgehelm = await testKernel({ plugins: [file, chunk, user], clock });
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());
}

export async function create(
  size: number,
  { owner = admin, isPublic = false }: { owner?: TestCaller; isPublic?: boolean } = {},
) {
  const request = { filename: "list.txt", size: BigInt(size), isPublic, mimeType: "text/plain" };
  return (await edgehelm.call(owner, files.createFile, request)).fileId;
}

export function add(fileId: bigint, data: Uint8Array) {
  return edgehelm.call(admin, chunks.createFileChunk, { fileId, data });
}

export function finish(fileId: bigint, caller = admin) {
  return edgehelm.call(caller, files.updateFileFinished, { fileId });
}

export async function idsFor(caller: TestCaller, fileId: bigint) {
  return (await edgehelm.call(caller, chunks.findAllFileChunkIds, { fileId })).fileChunkIds;
}

/** Returns a pattern in which swapped or shifted chunks are detected. */
export function bytes(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (index * 7 + (index >> 8)) % 251);
}
