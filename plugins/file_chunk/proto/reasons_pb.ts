// Generated from the code of the plugins by deno task gen. Do not edit.

/** The reasons of the errors that the code of operations gives, by path. */
export const reasons: Readonly<Record<string, readonly string[]>> = {
  "/FileChunkService/createFileChunk": ["file.not_found","file_chunk.chunk_empty","file_chunk.chunk_size","file_chunk.file_finished","file_chunk.file_full","kernel.invalid_field","kernel.other_owner","kernel.shared"],
  "/FileChunkService/downloadFileChunk": ["file.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared"],
  "/FileChunkService/findAllFileChunkIds": ["file.not_found","kernel.invalid_field","kernel.other_owner","kernel.shared"],
};
