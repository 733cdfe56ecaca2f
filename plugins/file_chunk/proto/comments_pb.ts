// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "pb.CreateFileChunkRequest": "The chunk to append.",
  "pb.CreateFileChunkRequest.data": "The content of the chunk, 1 to 1048576 bytes: remote databases accept no more in one statement.",
  "pb.CreateFileChunkRequest.fileId": "The id of the file to which the new object belongs.",
  "pb.CreateFileChunkResponse": "The id of the new chunk.",
  "pb.CreateFileChunkResponse.fileChunkId": "The id of the new chunk.",
  "pb.DownloadFileChunkRequest": "The chunk to read.",
  "pb.DownloadFileChunkRequest.fileChunkId": "The id of the chunk to download.",
  "pb.DownloadFileChunkResponse": "The chunk.",
  "pb.DownloadFileChunkResponse.fileChunk": "The chunk; absent if it does not exist or the caller may not read it.",
  "pb.FileChunk": "A chunk of a file.",
  "pb.FileChunk.data": "The content of the chunk, 1 to 1048576 bytes: remote databases accept no more in one statement.",
  "pb.FileChunkService": "Stores the content of files, in chunks. Callers that may read a file may read its chunks.",
  "pb.FileChunkService.createFileChunk": "Appends a chunk to an unfinished file.",
  "pb.FileChunkService.downloadFileChunk": "Reads one chunk.",
  "pb.FileChunkService.findAllFileChunkIds": "Lists the chunks of a file in order; their concatenated data is the content.",
  "pb.FindAllFileChunkIdsRequest": "The file whose chunks to list.",
  "pb.FindAllFileChunkIdsRequest.fileId": "Selects the file chunk ids of this file, by its id.",
  "pb.FindAllFileChunkIdsResponse": "The ids of the chunks.",
  "pb.FindAllFileChunkIdsResponse.fileChunkIds": "The ids of the chunks of the file, in their order.",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
