import { logList } from "../store.ts";
import * as createLogs from "./0001_create_logs.ts";
import * as countInBuckets from "./0002_count_in_buckets.ts";
import * as indexTexts from "./0003_index_texts.ts";
import * as replaceHandWrittenLists from "./0004_replace_hand_written_lists.ts";

export const migrations = {
  "0001_create_logs": createLogs,
  "0002_count_in_buckets": countInBuckets,
  "0003_index_texts": indexTexts,
  "0004_replace_hand_written_lists": replaceHandWrittenLists,
  "0005_list_logs": logList.migration,
};
