import * as createLogs from "./0001_create_logs.ts";
import * as countInBuckets from "./0002_count_in_buckets.ts";
import * as indexTexts from "./0003_index_texts.ts";

export const migrations = {
  "0001_create_logs": createLogs,
  "0002_count_in_buckets": countInBuckets,
  "0003_index_texts": indexTexts,
};
