// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "pb.CreateMessageRecipientGroupRequest": "The group to create.",
  "pb.CreateMessageRecipientGroupRequest.name": "The name: 1 to 255 characters.",
  "pb.CreateMessageRecipientGroupResponse": "The id of the new group.",
  "pb.CreateMessageRecipientGroupResponse.messageRecipientGroupId": "The id of the new group.",
  "pb.DeleteMessageRecipientGroupRequest": "The group to delete.",
  "pb.DeleteMessageRecipientGroupRequest.messageRecipientGroupId": "The id of the group to delete.",
  "pb.FindAllEnabledMessageRecipientGroupsRequest": "An empty request.",
  "pb.FindAllEnabledMessageRecipientGroupsResponse": "All groups.",
  "pb.FindAllEnabledMessageRecipientGroupsResponse.messageRecipientGroups": "The groups, newest first.",
  "pb.FindEnabledMessageRecipientGroupRequest": "The group to find.",
  "pb.FindEnabledMessageRecipientGroupRequest.messageRecipientGroupId": "The id of the group to find.",
  "pb.FindEnabledMessageRecipientGroupResponse": "The group.",
  "pb.FindEnabledMessageRecipientGroupResponse.messageRecipientGroup": "The group; absent if it does not exist.",
  "pb.MessageRecipientGroupService": "Manages groups of message recipients.",
  "pb.MessageRecipientGroupService.createMessageRecipientGroup": "Creates a group, which is turned on.",
  "pb.MessageRecipientGroupService.deleteMessageRecipientGroup": "Deletes a group that has no recipients.",
  "pb.MessageRecipientGroupService.findAllEnabledMessageRecipientGroups": "Finds all groups, in one response without pages.",
  "pb.MessageRecipientGroupService.findEnabledMessageRecipientGroup": "Finds one group.",
  "pb.MessageRecipientGroupService.updateMessageRecipientGroup": "Replaces the name of a group, and turns it on or off.",
  "pb.UpdateMessageRecipientGroupRequest": "The new settings of the group.",
  "pb.UpdateMessageRecipientGroupRequest.isOn": "False turns the group off.",
  "pb.UpdateMessageRecipientGroupRequest.messageRecipientGroupId": "The id of the group to change.",
  "pb.UpdateMessageRecipientGroupRequest.name": "The name: 1 to 255 characters.",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
