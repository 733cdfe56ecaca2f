import { keyFeed } from "../store.ts";
import * as createNSKeys from "./0001_create_ns_keys.ts";
import * as dropHandWrittenFeed from "./0003_drop_hand_written_feed.ts";

export const migrations = {
  "0001_create_ns_keys": createNSKeys,
  "0002_feed_ns_keys": keyFeed.migration,
  "0003_drop_hand_written_feed": dropHandWrittenFeed,
};
