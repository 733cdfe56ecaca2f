import { recordFeed } from "../store.ts";
import * as createNSRecords from "./0001_create_ns_records.ts";
import * as dropHandWrittenFeed from "./0003_drop_hand_written_feed.ts";
import * as createNSRecordHealth from "./0006_create_ns_record_health.ts";
import * as countZoneSerials from "./0005_count_zone_serials.ts";
import * as publishRelativeNames from "./0004_publish_relative_names.ts";

export const migrations = {
  "0001_create_ns_records": createNSRecords,
  "0002_feed_ns_records": recordFeed.migration,
  "0003_drop_hand_written_feed": dropHandWrittenFeed,
  "0004_publish_relative_names": publishRelativeNames,
  "0005_count_zone_serials": countZoneSerials,
  "0006_create_ns_record_health": createNSRecordHealth,
};
