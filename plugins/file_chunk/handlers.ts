import { type Handlers, idField } from "edgehelm";
import type { Files } from "../file/contract.ts";
import { errors } from "./errors.ts";
import type { FileChunkService } from "./proto/service_file_chunk_pb.ts";
import type { FileChunkStore } from "./store.ts";

const MAX_CHUNK_BYTES = 2 ** 20;

export function fileChunkHandlers(chunks: FileChunkStore, files: Files): Handlers<typeof FileChunkService> {
  return {
    async createFileChunk({ fileId, data }, call) {
      if (data.length === 0) throw errors.chunk_empty(MAX_CHUNK_BYTES);
      if (data.length > MAX_CHUNK_BYTES) throw errors.chunk_size(MAX_CHUNK_BYTES, data.length);
      const file = await files.requireOwned(call, idField("fileId", fileId));
      if (file.isFinished) throw errors.file_finished(fileId);
      const { bytes } = await chunks.addBytes.one(call, { fileId, bytes: BigInt(data.length) });
      if (bytes > file.size) throw errors.file_full(fileId, file.size, bytes);
      return { fileChunkId: (await chunks.insert.one(call, { fileId, data })).id };
    },

    async findAllFileChunkIds({ fileId }, call) {
      if (await files.findReadable(call, fileId) === undefined) return {};
      return { fileChunkIds: (await chunks.idsOf.all(call, { fileId })).map(({ id }) => id) };
    },

    async downloadFileChunk({ fileChunkId: id }, call) {
      const chunk = await chunks.fileOf.first(call, { id });
      if (chunk === undefined || await files.findReadable(call, chunk.fileId) === undefined) return {};
      return { fileChunk: { data: (await chunks.dataOf.one(call, { id })).data } };
    },
  };
}
