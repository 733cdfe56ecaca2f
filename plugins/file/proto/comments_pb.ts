// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "pb.CreateFileRequest": "The file to create.",
  "pb.CreateFileRequest.filename": "The file name, without a directory.",
  "pb.CreateFileRequest.isPublic": "True lets every user read the file once it is finished.",
  "pb.CreateFileRequest.mimeType": "The media type of the content, such as text/plain; empty means unknown.",
  "pb.CreateFileRequest.size": "The size of the content in bytes.",
  "pb.CreateFileRequest.type": "The purpose of the file, a code chosen by the caller; at most 64 characters.",
  "pb.CreateFileResponse": "The id of the new file.",
  "pb.CreateFileResponse.fileId": "The id of the new file.",
  "pb.File": "The metadata of a file.",
  "pb.File.createdAt": "The creation time, in unix seconds.",
  "pb.File.filename": "The file name, without a directory.",
  "pb.File.id": "The id of the file.",
  "pb.File.isPublic": "True lets every user read the file once it is finished.",
  "pb.File.mimeType": "The media type of the content, such as text/plain; empty means unknown.",
  "pb.File.size": "The size of the content in bytes.",
  "pb.File.type": "The purpose of the file, a code chosen by the caller.",
  "pb.FileService": "Stores the metadata of files; FileChunkService stores their content. A private file is visible to its owner, admins and nodes; to other callers it does not exist.",
  "pb.FileService.createFile": "Creates a file, which belongs to the caller. Its content is then uploaded in chunks.",
  "pb.FileService.findEnabledFile": "Finds the metadata of a file, without its content.",
  "pb.FileService.updateFileFinished": "Marks a file as finished once all of its content is uploaded. A finished file cannot change.",
  "pb.FindEnabledFileRequest": "The file to find.",
  "pb.FindEnabledFileRequest.fileId": "The id of the file to find.",
  "pb.FindEnabledFileResponse": "The file.",
  "pb.FindEnabledFileResponse.file": "The file; absent if it does not exist or the caller may not read it.",
  "pb.UpdateFileFinishedRequest": "The file to finish.",
  "pb.UpdateFileFinishedRequest.fileId": "The id of the file to change.",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
