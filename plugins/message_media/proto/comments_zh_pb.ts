// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "edgehelm.config.MessageMediaConfig": "MessageMediaConfig 是安装清单中 message_media 的 `config`。",
  "edgehelm.config.MessageMediaConfig.aliyunSmsUrl": "阿里云短信 API 的地址。为空表示 \"https://dysmsapi.aliyuncs.com\"。",
  "edgehelm.config.MessageMediaConfig.telegramUrl": "Telegram 的 Bot API 地址，例如自己的服务器的地址。为空表示 \"https://api.telegram.org\"。",
  "edgehelm.config.MessageMediaConfig.weComUrl": "企业微信 API 的地址，例如私有部署的地址。为空表示 \"https://qyapi.weixin.qq.com\"。",
  "pb.FindAllMessageMediasRequest": "空请求。",
  "pb.FindAllMessageMediasResponse": "所有媒介。",
  "pb.FindAllMessageMediasResponse.messageMedias": "匹配的媒介；没有时为空。",
  "pb.MessageMediaService": "列出可用于发送消息的媒介，并发送测试消息。",
  "pb.MessageMediaService.findAllMessageMedias": "查找所有媒介，在一个响应中返回，不分页。",
  "pb.MessageMediaService.sendMediaMessage": "立即发送一条消息，用于测试媒介。",
  "pb.SendMediaMessageRequest": "要发送的消息。",
  "pb.SendMediaMessageRequest.body": "文本；最多 65536 个字符。",
  "pb.SendMediaMessageRequest.mediaType": "媒介的类型：email、webHook、dingTalk、qyWeixin、qyWeixinRobot、aliyunSms、telegram 或 slack。",
  "pb.SendMediaMessageRequest.optionsJSON": "媒介的参数，JSON 对象，结构由其类型定义。",
  "pb.SendMediaMessageRequest.subject": "主题：1 到 255 个字符。",
  "pb.SendMediaMessageRequest.user": "消息发往的地址：邮箱地址、电话号码或媒介定义的其他 ID；最多 255 个字符。",
};
