// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "pb.CountAllReportResultsRequest": "Selects the results to count.",
  "pb.CountAllReportResultsRequest.level": "good, normal, bad or broken; empty means any.",
  "pb.CountAllReportResultsRequest.okState": "1 for reachable targets, 2 for unreachable ones, 0 for both.",
  "pb.CountAllReportResultsRequest.reportNodeId": "Selects the report results of this report node, by its id.",
  "pb.FindAllReportResultsRequest": "Identifies the target.",
  "pb.FindAllReportResultsRequest.targetId": "Identifies the target.",
  "pb.FindAllReportResultsRequest.type": "The type of target: ipAddr.",
  "pb.FindAllReportResultsResponse": "The results for the target.",
  "pb.FindAllReportResultsResponse.reportResults": "The results that match; empty if there are none.",
  "pb.ListReportResultsRequest": "Selects the results to list.",
  "pb.ListReportResultsRequest.level": "good, normal, bad or broken; empty means any.",
  "pb.ListReportResultsRequest.offset": "The number of rows to skip; must not be negative.",
  "pb.ListReportResultsRequest.okState": "1 for reachable targets, 2 for unreachable ones, 0 for both.",
  "pb.ListReportResultsRequest.reportNodeId": "Selects the report results of this report node, by its id.",
  "pb.ListReportResultsRequest.size": "The maximum number of rows, up to 1000; 0 means 20.",
  "pb.ListReportResultsResponse": "A page of results.",
  "pb.ListReportResultsResponse.reportResults": "The results of the requested page; empty after the last one.",
  "pb.ReportResult": "The result of one report node for one target.",
  "pb.ReportResult.costMs": "The time to connect, in milliseconds.",
  "pb.ReportResult.error": "The error if the target was not reachable.",
  "pb.ReportResult.id": "The ID of the result.",
  "pb.ReportResult.isOk": "True if the target was reachable.",
  "pb.ReportResult.level": "The level: good, normal, bad or broken.",
  "pb.ReportResult.reportNodeId": "The report node that sent the result.",
  "pb.ReportResult.targetDesc": "A description of the target, such as its address.",
  "pb.ReportResult.targetId": "Identifies the target.",
  "pb.ReportResult.type": "The type of target: ipAddr.",
  "pb.ReportResult.updatedAt": "The time of the report in Unix seconds.",
  "pb.ReportResultService": "Stores the results of report nodes. For each report node and target, only the latest result is kept.",
  "pb.ReportResultService.countAllReportResults": "Counts the matching results of a report node.",
  "pb.ReportResultService.findAllReportResults": "Finds the results of all report nodes for a target, newest first.",
  "pb.ReportResultService.listReportResults": "Lists the matching results of a report node: failed ones first, then the slowest.",
  "pb.ReportResultService.updateReportResults": "Stores results of the calling report node, replacing its earlier results for the same targets.",
  "pb.UpdateReportResultsRequest": "The results of the report node.",
  "pb.UpdateReportResultsRequest.reportResults": "The results; at most 1000.",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
