// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "pb.ExportNSZoneFileRequest": "Request of exportNSZoneFile.",
  "pb.ExportNSZoneFileRequest.nsDomainId": "The id of the domain that is meant.",
  "pb.ExportNSZoneFileResponse": "Response of exportNSZoneFile.",
  "pb.ExportNSZoneFileResponse.zoneFile": "The text of the zone file.",
  "pb.ImportNSZoneFileRequest": "Request of importNSZoneFile.",
  "pb.ImportNSZoneFileRequest.nsDomainId": "The domain, which is also the initial origin of the file.",
  "pb.ImportNSZoneFileRequest.replace": "If true, the other records of the domain that are on and have no routes are deleted. Records with routes and records that are off remain, because a zone file cannot contain them.",
  "pb.ImportNSZoneFileRequest.zoneFile": "The text of the zone file.",
  "pb.ImportNSZoneFileResponse": "Response of importNSZoneFile. If there are errors, nothing was changed and all other counts are 0.",
  "pb.ImportNSZoneFileResponse.countCreated": "The number of records that were created.",
  "pb.ImportNSZoneFileResponse.countProblems": "The number of errors in the file.",
  "pb.ImportNSZoneFileResponse.countRemoved": "The number of records of the domain that were deleted; only with replace.",
  "pb.ImportNSZoneFileResponse.countSkipped": "The number of records in the file that already existed, are duplicates, or are answered by the cluster itself.",
  "pb.ImportNSZoneFileResponse.countUpdated": "The number of records that got the TTL of the file or were turned on; only with replace.",
  "pb.ImportNSZoneFileResponse.problems": "The errors in order of their lines, at most 100.",
  "pb.NSZoneFileProblem": "NSZoneFileProblem is an error in a line of a zone file.",
  "pb.NSZoneFileProblem.line": "The line number, starting at 1. For a record that spans several lines it is the first one.",
  "pb.NSZoneFileProblem.message": "The error message.",
  "pb.NSZoneFileService": "Exports and imports the records of a DNS domain as a zone file, the text format of RFC 1035, section 5. A user reaches only their own domains; those of others are reported as not found.",
  "pb.NSZoneFileService.exportNSZoneFile": "Exports a domain as a zone file. Records with routes and records that are off are written as comments.",
  "pb.NSZoneFileService.importNSZoneFile": "Imports the records of a zone file into a domain. If the file has an error, nothing is imported.",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
