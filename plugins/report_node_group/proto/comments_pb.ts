// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "pb.CountAllEnabledReportNodeGroupsRequest": "Has no fields.",
  "pb.CreateReportNodeGroupRequest": "The group to create.",
  "pb.CreateReportNodeGroupRequest.name": "The name: 1 to 255 characters.",
  "pb.CreateReportNodeGroupResponse": "The group to create.",
  "pb.CreateReportNodeGroupResponse.reportNodeGroupId": "The group to create.",
  "pb.DeleteReportNodeGroupRequest": "Identifies the group to delete.",
  "pb.DeleteReportNodeGroupRequest.reportNodeGroupId": "The id of the group to delete.",
  "pb.FindAllEnabledReportNodeGroupsRequest": "Has no fields.",
  "pb.FindAllEnabledReportNodeGroupsResponse": "All groups.",
  "pb.FindAllEnabledReportNodeGroupsResponse.reportNodeGroups": "The groups, newest first.",
  "pb.FindEnabledReportNodeGroupRequest": "Identifies the group to find.",
  "pb.FindEnabledReportNodeGroupRequest.reportNodeGroupId": "The id of the group to find.",
  "pb.FindEnabledReportNodeGroupResponse": "The group.",
  "pb.FindEnabledReportNodeGroupResponse.reportNodeGroup": "The group; absent when there is none.",
  "pb.ReportNodeGroupService": "Manages groups of report nodes.",
  "pb.ReportNodeGroupService.countAllEnabledReportNodeGroups": "Counts all groups, without returning them.",
  "pb.ReportNodeGroupService.createReportNodeGroup": "Creates a group, which is turned on immediately.",
  "pb.ReportNodeGroupService.deleteReportNodeGroup": "Deletes a group without report nodes.",
  "pb.ReportNodeGroupService.findAllEnabledReportNodeGroups": "Finds all groups, in one response without pages.",
  "pb.ReportNodeGroupService.findEnabledReportNodeGroup": "Finds a group; the response is empty if it does not exist.",
  "pb.ReportNodeGroupService.updateReportNodeGroup": "Renames a group.",
  "pb.UpdateReportNodeGroupRequest": "The new name of the group.",
  "pb.UpdateReportNodeGroupRequest.name": "The name: 1 to 255 characters.",
  "pb.UpdateReportNodeGroupRequest.reportNodeGroupId": "The id of the group to change.",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
