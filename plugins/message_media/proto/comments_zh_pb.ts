// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "pb.FindAllMessageMediasRequest": "空请求。",
  "pb.FindAllMessageMediasResponse": "所有媒介。",
  "pb.FindAllMessageMediasResponse.messageMedias": "匹配的媒介；没有时为空。",
  "pb.MessageMediaService": "列出可用于发送消息的媒介，并发送测试消息。",
  "pb.MessageMediaService.findAllMessageMedias": "查找所有媒介，在一个响应中返回，不分页。",
  "pb.MessageMediaService.sendMediaMessage": "立即发送一条消息，用于测试媒介。",
  "pb.SendMediaMessageRequest": "要发送的消息。",
  "pb.SendMediaMessageRequest.body": "文本；最多 65536 个字符。",
  "pb.SendMediaMessageRequest.optionsJSON": "媒介的参数，JSON 对象，结构由其类型定义。",
  "pb.SendMediaMessageRequest.subject": "主题：1 到 255 个字符。",
  "pb.SendMediaMessageRequest.user": "消息发往的地址：邮箱地址、电话号码或媒介定义的其他 ID；最多 255 个字符。",
};
