// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "edgehelm.config.MessageConfig": "MessageConfig is the `config` of message in the installation manifest.",
  "edgehelm.config.MessageConfig.language": "The language of the texts: \"en\" or \"zh\". Empty means \"en\".",
  "edgehelm.config.MessageConfig.messageMediaInstanceId": "The id of the media instance that sends these mails; 0 means the first one of the media email that is turned on.",
  "edgehelm.config.MessageConfig.withoutMail": "If true, messages to users are not also mailed to their verified addresses.",
  "pb.CountUnreadMessagesRequest": "The messages to count.",
  "pb.CountUnreadMessagesRequest.includeRead": "True counts messages that were read, too.",
  "pb.ListUnreadMessagesRequest": "The page of messages to list.",
  "pb.ListUnreadMessagesRequest.includeRead": "True lists messages that were read, too.",
  "pb.ListUnreadMessagesRequest.offset": "The number of items to skip; must not be negative.",
  "pb.ListUnreadMessagesRequest.size": "The page size, at most 1000; 0 means 20.",
  "pb.ListUnreadMessagesResponse": "A page of messages.",
  "pb.ListUnreadMessagesResponse.messages": "The messages of the requested page; empty after the last one.",
  "pb.Message": "A message about an event.",
  "pb.Message.body": "The text.",
  "pb.Message.createdAt": "The time of the event, in unix seconds.",
  "pb.Message.id": "The id of the message.",
  "pb.Message.isRead": "True if the caller has read it.",
  "pb.Message.level": "The urgency: info, success, warning or error.",
  "pb.Message.node": "The edge node that it is about: its id; absent if it is about none.",
  "pb.Message.nodeCluster": "The cluster of edge nodes that it is about: its id; absent if it is about none.",
  "pb.Message.paramsJSON": "The data of the event, as a JSON object whose fields depend on its kind.",
  "pb.Message.role": "The role of the machine that it is about: node, dns or report; empty if it is about none.",
  "pb.Message.subject": "The subject line.",
  "pb.Message.type": "The kind of its event, such as ns_node.went_offline.",
  "pb.MessageService": "Lists messages of the platform to the admins and users whom they concern: each is about an event. Messages older than 90 days are deleted.",
  "pb.MessageService.countUnreadMessages": "Counts the unread messages of the caller; at most 1000.",
  "pb.MessageService.listUnreadMessages": "Lists the unread messages of the caller, newest first.",
  "pb.MessageService.updateAllMessagesRead": "Marks all messages of the caller as read.",
  "pb.MessageService.updateMessageRead": "Marks a message as read or unread, for the caller only.",
  "pb.MessageService.updateMessagesRead": "Marks messages as read or unread, for the caller only: all of them or, if one does not exist, none.",
  "pb.UpdateAllMessagesReadRequest": "An empty request.",
  "pb.UpdateMessageReadRequest": "The message to mark.",
  "pb.UpdateMessageReadRequest.isRead": "True marks it as read, false as unread.",
  "pb.UpdateMessageReadRequest.messageId": "The id of the message to mark.",
  "pb.UpdateMessagesReadRequest": "The messages to mark.",
  "pb.UpdateMessagesReadRequest.isRead": "True marks them as read, false as unread.",
  "pb.UpdateMessagesReadRequest.messageIds": "The ids of the messages to mark; at most 1000.",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
