// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "pb.CreateFileChunkRequest": "要追加的分块。",
  "pb.CreateFileChunkRequest.data": "分块的内容，1 到 1048576 字节：远程数据库在一条语句中不接受更多内容。",
  "pb.CreateFileChunkRequest.fileId": "新对象所属文件的 ID。",
  "pb.CreateFileChunkResponse": "新分块的 ID。",
  "pb.CreateFileChunkResponse.fileChunkId": "新分块的 ID。",
  "pb.DownloadFileChunkRequest": "要读取的分块。",
  "pb.DownloadFileChunkRequest.fileChunkId": "要下载的分块的 ID。",
  "pb.DownloadFileChunkResponse": "分块。",
  "pb.DownloadFileChunkResponse.fileChunk": "分块；不存在或调用者无权读取时省略。",
  "pb.FileChunk": "文件的一个分块。",
  "pb.FileChunk.data": "分块的内容，1 到 1048576 字节：远程数据库在一条语句中不接受更多内容。",
  "pb.FileChunkService": "分块存储文件的内容。有权读取文件的调用者可以读取其分块。",
  "pb.FileChunkService.createFileChunk": "向未完成的文件追加一个分块。",
  "pb.FileChunkService.downloadFileChunk": "读取一个分块。",
  "pb.FileChunkService.findAllFileChunkIds": "按顺序列出文件的分块；将其数据依次拼接即为文件内容。",
  "pb.FindAllFileChunkIdsRequest": "要列出其分块的文件。",
  "pb.FindAllFileChunkIdsRequest.fileId": "按文件 ID 选择该文件的分块 ID。",
  "pb.FindAllFileChunkIdsResponse": "分块的 ID 列表。",
  "pb.FindAllFileChunkIdsResponse.fileChunkIds": "文件各分块的 ID，按其顺序排列。",
};
