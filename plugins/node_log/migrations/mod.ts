import * as createNodeLogs from "./0001_create_node_logs.ts";
import * as countByNode from "./0002_count_by_node.ts";
import * as countInBuckets from "./0003_count_in_buckets.ts";
import * as countOpenByText from "./0004_count_open_by_text.ts";
import * as removeWithoutMerging from "./0005_remove_without_merging.ts";

export const migrations = {
  "0001_create_node_logs": createNodeLogs,
  "0002_count_by_node": countByNode,
  "0003_count_in_buckets": countInBuckets,
  "0004_count_open_by_text": countOpenByText,
  "0005_remove_without_merging": removeWithoutMerging,
};
