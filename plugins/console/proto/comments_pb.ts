// Generated from the comments in the proto files of this folder. Do not edit.

/** The comments of the proto files in this folder, by the full names of what they describe. */
export const comments: Readonly<Record<string, string>> = {
  "edgehelm.config.ConsoleConfig": "ConsoleConfig is the value of `config` for console in the installation manifest.",
  "edgehelm.config.ConsoleConfig.idleMinutes": "The minutes after which a session ends that is not used: 6 to 1440. 0, the default, means 30.",
  "edgehelm.config.ConsoleConfig.sessionHours": "The hours after which a session ends, however much it is used: 1 to 720. 0, the default, means 12.",
  "pb.ConsoleSession": "A session of an admin or a user in the console.",
  "pb.ConsoleSession.adminId": "The id of the admin; 0 for a session of a user.",
  "pb.ConsoleSession.createdAt": "The time of the sign-in, in unix seconds.",
  "pb.ConsoleSession.expiresAt": "The time at which the session ends, however much it is used, in unix seconds.",
  "pb.ConsoleSession.id": "The id of the session.",
  "pb.ConsoleSession.ip": "The IP address from which the person signed in; empty if unknown.",
  "pb.ConsoleSession.isOfKey": "True if the session began with an access key, and not with a password.",
  "pb.ConsoleSession.lastUsedAt": "The time of the last use, in unix seconds, up to a minute old.",
  "pb.ConsoleSession.type": "The kind of person: admin or user.",
  "pb.ConsoleSession.userAgent": "The browser, as it names itself; at most 300 characters.",
  "pb.ConsoleSession.userId": "The id of the user; 0 for a session of an admin.",
  "pb.ConsoleSession.username": "The username of the person who is signed in.",
  "pb.ConsoleSessionService": "Shows super admins who is signed in to the console, and ends sessions. People see and end their own on the page \"Sign-in and security\".",
  "pb.ConsoleSessionService.countConsoleSessions": "Counts the sessions that have not ended.",
  "pb.ConsoleSessionService.deleteConsoleSession": "Ends a session and its tokens at once.",
  "pb.ConsoleSessionService.findConsoleSession": "Finds a session that has not ended.",
  "pb.ConsoleSessionService.listConsoleSessions": "Lists the sessions that have not ended, newest first.",
  "pb.CountConsoleSessionsRequest": "The filter that selects the sessions to count.",
  "pb.CountConsoleSessionsRequest.adminId": "The id of the admin who is signed in; 0 selects those of everyone.",
  "pb.CountConsoleSessionsRequest.userId": "The id of the user who is signed in; 0 selects those of everyone. Only one of both ids may be set.",
  "pb.DeleteConsoleSessionRequest": "The session to end.",
  "pb.DeleteConsoleSessionRequest.consoleSessionId": "The id of the session to end.",
  "pb.FindConsoleSessionRequest": "The session to find.",
  "pb.FindConsoleSessionRequest.consoleSessionId": "The id of the session, from a list of sessions; one that does not exist finds nothing.",
  "pb.FindConsoleSessionResponse": "The session.",
  "pb.FindConsoleSessionResponse.consoleSession": "The session; absent if it has ended or never existed.",
  "pb.ListConsoleSessionsRequest": "The filter and the page of sessions to list.",
  "pb.ListConsoleSessionsRequest.adminId": "The id of the admin who is signed in; 0 selects those of everyone.",
  "pb.ListConsoleSessionsRequest.offset": "The number of items to skip; must not be negative.",
  "pb.ListConsoleSessionsRequest.size": "The page size, at most 1000; 0 means 20.",
  "pb.ListConsoleSessionsRequest.userId": "The id of the user who is signed in; 0 selects those of everyone. Only one of both ids may be set.",
  "pb.ListConsoleSessionsResponse": "A page of sessions.",
  "pb.ListConsoleSessionsResponse.consoleSessions": "The sessions of the requested page; empty after the last one.",
};

/** Imports the same comments in other languages. */
export const translations = {
  zh: () => import("./comments_zh_pb.ts"),
};
