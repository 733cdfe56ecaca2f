// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "pb.CountMessageTaskLogsRequest": "An empty request.",
  "pb.ListMessageTaskLogsRequest": "The page of attempts to list.",
  "pb.ListMessageTaskLogsRequest.offset": "The number of items to skip; must not be negative.",
  "pb.ListMessageTaskLogsRequest.size": "The page size, at most 1000; 0 means 20.",
  "pb.ListMessageTaskLogsResponse": "A page of attempts.",
  "pb.ListMessageTaskLogsResponse.messageTaskLogs": "The attempts of the requested page; empty after the last one.",
  "pb.MessageTaskLog": "An attempt to send a message.",
  "pb.MessageTaskLog.createdAt": "The time of the attempt, in unix seconds.",
  "pb.MessageTaskLog.error": "The error if it was not sent, in the words of the provider where it gave some.",
  "pb.MessageTaskLog.id": "The id of the attempt.",
  "pb.MessageTaskLog.isOk": "True if the message was sent.",
  "pb.MessageTaskLog.messageTask": "The message; only its id if it cannot be sent any more, because its recipient or instance is turned off or deleted.",
  "pb.MessageTaskLog.response": "The response of the media.",
  "pb.MessageTaskLogService": "Lists the attempts to send messages. Attempts older than 30 days are deleted.",
  "pb.MessageTaskLogService.countMessageTaskLogs": "Counts the attempts, without returning them.",
  "pb.MessageTaskLogService.listMessageTaskLogs": "Lists the attempts, newest first.",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
