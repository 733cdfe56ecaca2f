// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "pb.CountMessageTaskLogsRequest": "空请求。",
  "pb.ListMessageTaskLogsRequest": "要列出的尝试页。",
  "pb.ListMessageTaskLogsRequest.offset": "要跳过的条目数；不能为负数。",
  "pb.ListMessageTaskLogsRequest.size": "每页数量，最多 1000；为 0 表示 20。",
  "pb.ListMessageTaskLogsResponse": "一页发送尝试。",
  "pb.ListMessageTaskLogsResponse.messageTaskLogs": "所请求页的尝试；最后一页之后为空。",
  "pb.MessageTaskLog": "一次发送消息的尝试。",
  "pb.MessageTaskLog.createdAt": "尝试的时间，以 Unix 秒为单位。",
  "pb.MessageTaskLog.error": "未发送时的错误；如果服务商给出了说明，则为其原文。",
  "pb.MessageTaskLog.id": "尝试的 ID。",
  "pb.MessageTaskLog.isOk": "为 true 表示消息已发送。",
  "pb.MessageTaskLog.messageTask": "消息；如果因接收人或媒介实例被停用或删除而不能再发送，则只有其 ID。",
  "pb.MessageTaskLog.response": "媒介的响应。",
  "pb.MessageTaskLogService": "列出发送消息的尝试。超过 30 天的尝试会被删除。",
  "pb.MessageTaskLogService.countMessageTaskLogs": "统计尝试的数量，不返回内容。",
  "pb.MessageTaskLogService.listMessageTaskLogs": "列出尝试，最新的在前。",
};
