import { routeFeed } from "../store.ts";
import * as createNSRoutes from "./0001_create_ns_routes.ts";
import * as dropHandWrittenFeed from "./0003_drop_hand_written_feed.ts";

export const migrations = {
  "0001_create_ns_routes": createNSRoutes,
  "0002_feed_ns_routes": routeFeed.migration,
  "0003_drop_hand_written_feed": dropHandWrittenFeed,
};
