// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "pb.CreateMessageRecipientGroupRequest": "要创建的分组。",
  "pb.CreateMessageRecipientGroupRequest.name": "名称：1 到 255 个字符。",
  "pb.CreateMessageRecipientGroupResponse": "新分组的 ID。",
  "pb.CreateMessageRecipientGroupResponse.messageRecipientGroupId": "新分组的 ID。",
  "pb.DeleteMessageRecipientGroupRequest": "要删除的分组。",
  "pb.DeleteMessageRecipientGroupRequest.messageRecipientGroupId": "要删除的分组的 ID。",
  "pb.FindAllEnabledMessageRecipientGroupsRequest": "空请求。",
  "pb.FindAllEnabledMessageRecipientGroupsResponse": "所有分组。",
  "pb.FindAllEnabledMessageRecipientGroupsResponse.messageRecipientGroups": "分组，最新的在前。",
  "pb.FindEnabledMessageRecipientGroupRequest": "要查找的分组。",
  "pb.FindEnabledMessageRecipientGroupRequest.messageRecipientGroupId": "要查找的分组的 ID。",
  "pb.FindEnabledMessageRecipientGroupResponse": "分组。",
  "pb.FindEnabledMessageRecipientGroupResponse.messageRecipientGroup": "分组；不存在时省略。",
  "pb.MessageRecipientGroupService": "管理消息接收人的分组。",
  "pb.MessageRecipientGroupService.createMessageRecipientGroup": "创建一个分组，创建后即启用。",
  "pb.MessageRecipientGroupService.deleteMessageRecipientGroup": "删除一个没有接收人的分组。",
  "pb.MessageRecipientGroupService.findAllEnabledMessageRecipientGroups": "查找所有分组，在一个响应中返回，不分页。",
  "pb.MessageRecipientGroupService.findEnabledMessageRecipientGroup": "查找一个分组。",
  "pb.MessageRecipientGroupService.updateMessageRecipientGroup": "替换分组的名称，并启用或停用分组。",
  "pb.UpdateMessageRecipientGroupRequest": "分组的新设置。",
  "pb.UpdateMessageRecipientGroupRequest.isOn": "为 false 表示停用分组。",
  "pb.UpdateMessageRecipientGroupRequest.messageRecipientGroupId": "要更改的分组的 ID。",
  "pb.UpdateMessageRecipientGroupRequest.name": "名称：1 到 255 个字符。",
};
