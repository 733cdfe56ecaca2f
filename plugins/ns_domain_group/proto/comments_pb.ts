// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "pb.CountAllAvailableNSDomainGroupsRequest": "Selects the groups to count.",
  "pb.CountAllAvailableNSDomainGroupsRequest.userId": "The owner; 0 means the installation. If the caller is a user, it is always the caller.",
  "pb.CreateNSDomainGroupRequest": "The group to create.",
  "pb.CreateNSDomainGroupRequest.name": "The name: 1 to 255 characters.",
  "pb.CreateNSDomainGroupRequest.userId": "The id of the user who owns the group, if an admin creates it; 0 means none.",
  "pb.CreateNSDomainGroupResponse": "The created group.",
  "pb.CreateNSDomainGroupResponse.nsDomainGroupId": "The id of the new group.",
  "pb.DeleteNSDomainGroupRequest": "Selects the group to delete.",
  "pb.DeleteNSDomainGroupRequest.nsDomainGroupId": "The id of the domain group to delete.",
  "pb.FindAllAvailableNSDomainGroupsRequest": "Selects the groups to find.",
  "pb.FindAllAvailableNSDomainGroupsRequest.userId": "The owner; 0 means the installation. If the caller is a user, it is always the caller.",
  "pb.FindAllAvailableNSDomainGroupsResponse": "The owner's groups that are on.",
  "pb.FindAllAvailableNSDomainGroupsResponse.nsDomainGroups": "The groups, newest first.",
  "pb.FindAllNSDomainGroupsRequest": "Selects the groups to find.",
  "pb.FindAllNSDomainGroupsRequest.userId": "The owner; 0 means the installation. If the caller is a user, it is always the caller.",
  "pb.FindAllNSDomainGroupsResponse": "The owner's groups.",
  "pb.FindAllNSDomainGroupsResponse.nsDomainGroups": "The groups, newest first.",
  "pb.FindNSDomainGroupRequest": "Selects the group to find.",
  "pb.FindNSDomainGroupRequest.nsDomainGroupId": "The id of the domain group to find.",
  "pb.FindNSDomainGroupResponse": "The group.",
  "pb.FindNSDomainGroupResponse.nsDomainGroup": "The group; absent when there is none.",
  "pb.NSDomainGroupService": "Manages groups of DNS domains. A group belongs to a user or, when an admin created it, to the installation. A user sees and changes only their own groups.",
  "pb.NSDomainGroupService.countAllAvailableNSDomainGroups": "Counts the groups of one owner that are on.",
  "pb.NSDomainGroupService.createNSDomainGroup": "Creates a group that is on and belongs to the caller.",
  "pb.NSDomainGroupService.deleteNSDomainGroup": "Deletes a group. It is refused while the group is in use.",
  "pb.NSDomainGroupService.findAllAvailableNSDomainGroups": "Finds the groups of one owner that are on.",
  "pb.NSDomainGroupService.findAllNSDomainGroups": "Finds all groups of one owner, including those that are off.",
  "pb.NSDomainGroupService.findNSDomainGroup": "Finds one group.",
  "pb.NSDomainGroupService.updateNSDomainGroup": "Replaces the name and the on/off state of a group.",
  "pb.UpdateNSDomainGroupRequest": "The complete settings of a group.",
  "pb.UpdateNSDomainGroupRequest.isOn": "False turns the group off, so that it is no longer offered.",
  "pb.UpdateNSDomainGroupRequest.name": "The name: 1 to 255 characters.",
  "pb.UpdateNSDomainGroupRequest.nsDomainGroupId": "The id of the domain group to change.",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
