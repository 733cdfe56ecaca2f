import * as createLogs from "./0001_create_logs.ts";

export const migrations = {
  "0001_create_logs": createLogs,
};
