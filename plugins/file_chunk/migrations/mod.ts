import * as createFileChunks from "./0001_create_file_chunks.ts";

export const migrations = {
  "0001_create_file_chunks": createFileChunks,
};
