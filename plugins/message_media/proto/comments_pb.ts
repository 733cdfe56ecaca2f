// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "edgehelm.config.MessageMediaConfig": "MessageMediaConfig is the `config` of message_media in the installation manifest.",
  "edgehelm.config.MessageMediaConfig.aliyunSmsUrl": "The address of the API of text messages of Alibaba Cloud. Empty means \"https://dysmsapi.aliyuncs.com\".",
  "edgehelm.config.MessageMediaConfig.telegramUrl": "The address of the Bot API of Telegram, such as that of a server of one's own. Empty means \"https://api.telegram.org\".",
  "edgehelm.config.MessageMediaConfig.weComUrl": "The address of the API of WeCom, such as that of a private installation. Empty means \"https://qyapi.weixin.qq.com\".",
  "pb.FindAllMessageMediasRequest": "An empty request.",
  "pb.FindAllMessageMediasResponse": "All media.",
  "pb.FindAllMessageMediasResponse.messageMedias": "The media that match; empty if there are none.",
  "pb.MessageMediaService": "Lists the media through which messages can be sent, and sends test messages.",
  "pb.MessageMediaService.findAllMessageMedias": "Finds all media, in one response without pages.",
  "pb.MessageMediaService.sendMediaMessage": "Sends one message immediately, to test a media.",
  "pb.SendMediaMessageRequest": "The message to send.",
  "pb.SendMediaMessageRequest.body": "The text; at most 65536 characters.",
  "pb.SendMediaMessageRequest.mediaType": "The type of the media: email, webHook, dingTalk, qyWeixin, qyWeixinRobot, aliyunSms, telegram or slack.",
  "pb.SendMediaMessageRequest.optionsJSON": "The parameters of the media, as a JSON object of the shape that its type defines.",
  "pb.SendMediaMessageRequest.subject": "The subject: 1 to 255 characters.",
  "pb.SendMediaMessageRequest.user": "The address that the message goes to: a mail address, a phone number or another id that the media defines; at most 255 characters.",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
