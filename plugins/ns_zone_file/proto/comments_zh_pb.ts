// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "pb.ExportNSZoneFileRequest": "exportNSZoneFile 的请求。",
  "pb.ExportNSZoneFileRequest.nsDomainId": "所指域名的 id。",
  "pb.ExportNSZoneFileResponse": "exportNSZoneFile 的响应。",
  "pb.ExportNSZoneFileResponse.zoneFile": "区域文件的文本。",
  "pb.ImportNSZoneFileRequest": "importNSZoneFile 的请求。",
  "pb.ImportNSZoneFileRequest.nsDomainId": "域名，同时也是文件的初始 origin。",
  "pb.ImportNSZoneFileRequest.replace": "为 true 表示删除该域名中其他已启用且没有线路的记录。有线路的记录和已停用的记录会保留，因为区域文件无法包含它们。",
  "pb.ImportNSZoneFileRequest.zoneFile": "区域文件的文本。",
  "pb.ImportNSZoneFileResponse": "importNSZoneFile 的响应。如果有错误，则未做任何更改，其他数量均为 0。",
  "pb.ImportNSZoneFileResponse.countCreated": "已创建的记录数。",
  "pb.ImportNSZoneFileResponse.countProblems": "文件中的错误数。",
  "pb.ImportNSZoneFileResponse.countRemoved": "已删除的该域名的记录数；仅在使用 replace 时有值。",
  "pb.ImportNSZoneFileResponse.countSkipped": "文件中已存在、重复或由集群自身应答的记录数。",
  "pb.ImportNSZoneFileResponse.countUpdated": "采用文件中的 TTL 或被启用的记录数；仅在使用 replace 时有值。",
  "pb.ImportNSZoneFileResponse.problems": "错误，按行的顺序排列，最多 100 个。",
  "pb.NSZoneFileProblem": "NSZoneFileProblem 是区域文件某一行中的错误。",
  "pb.NSZoneFileProblem.line": "行号，从 1 开始。对于跨多行的记录，为其第一行。",
  "pb.NSZoneFileProblem.message": "错误消息。",
  "pb.NSZoneFileService": "以区域文件（RFC 1035 第 5 节的文本格式）导出和导入 DNS 域名的记录。用户只能访问自己的域名；他人的域名报告为不存在。",
  "pb.NSZoneFileService.exportNSZoneFile": "将域名导出为区域文件。带线路的记录和已停用的记录以注释形式写出。",
  "pb.NSZoneFileService.importNSZoneFile": "将区域文件的记录导入域名。如果文件有错误，则不导入任何内容。",
};
