// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "pb.CountAllEnabledReportNodeGroupsRequest": "没有字段。",
  "pb.CreateReportNodeGroupRequest": "要创建的分组。",
  "pb.CreateReportNodeGroupRequest.name": "名称：1 到 255 个字符。",
  "pb.CreateReportNodeGroupResponse": "要创建的分组。",
  "pb.CreateReportNodeGroupResponse.reportNodeGroupId": "要创建的分组。",
  "pb.DeleteReportNodeGroupRequest": "标识要删除的分组。",
  "pb.DeleteReportNodeGroupRequest.reportNodeGroupId": "要删除的分组的 ID。",
  "pb.FindAllEnabledReportNodeGroupsRequest": "没有字段。",
  "pb.FindAllEnabledReportNodeGroupsResponse": "所有分组。",
  "pb.FindAllEnabledReportNodeGroupsResponse.reportNodeGroups": "分组，最新的在前。",
  "pb.FindEnabledReportNodeGroupRequest": "标识要查找的分组。",
  "pb.FindEnabledReportNodeGroupRequest.reportNodeGroupId": "要查找的分组的 ID。",
  "pb.FindEnabledReportNodeGroupResponse": "分组。",
  "pb.FindEnabledReportNodeGroupResponse.reportNodeGroup": "分组；不存在时省略。",
  "pb.ReportNodeGroupService": "管理监测节点的分组。",
  "pb.ReportNodeGroupService.countAllEnabledReportNodeGroups": "统计所有分组的数量，不返回分组本身。",
  "pb.ReportNodeGroupService.createReportNodeGroup": "创建分组，创建后立即启用。",
  "pb.ReportNodeGroupService.deleteReportNodeGroup": "删除没有监测节点的分组。",
  "pb.ReportNodeGroupService.findAllEnabledReportNodeGroups": "查找所有分组，在一个响应中返回，不分页。",
  "pb.ReportNodeGroupService.findEnabledReportNodeGroup": "查找分组；不存在时响应为空。",
  "pb.ReportNodeGroupService.updateReportNodeGroup": "重命名分组。",
  "pb.UpdateReportNodeGroupRequest": "分组的新名称。",
  "pb.UpdateReportNodeGroupRequest.name": "名称：1 到 255 个字符。",
  "pb.UpdateReportNodeGroupRequest.reportNodeGroupId": "要更改的分组的 ID。",
};
