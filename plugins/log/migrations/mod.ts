import * as createLogs from "./0001_create_logs.ts";
import * as countInBuckets from "./0002_count_in_buckets.ts";

export const migrations = {
  "0001_create_logs": createLogs,
  "0002_count_in_buckets": countInBuckets,
};
