import { defineExtensionPoint, type ExtensionPoint } from "edgehelm";
import type { LogStoreDriver } from "./contract/store_driver.ts";

export { ANYWHERE_TEXTS, likePattern } from "./contract/conditions.ts";
export { ipKey } from "./contract/ip_key.ts";
export { columnsOf } from "./contract/log_columns.ts";
export { FIELDS, type LogFields, logFields, MAX_SEARCHED, SEARCHED_TEXTS } from "./contract/log_fields.ts";
export type {
  Condition,
  FoundLogs,
  LogEntry,
  LogFilter,
  LogPage,
  LogStore,
  SearchRange,
  StoredDay,
  TextColumn,
} from "./contract/log_store.ts";
export { dayOf, firstOf, secondsOf } from "./contract/request_time.ts";
export type { LogStoreDeps, LogStoreDriver, LogStoreHost, OpenLogStore } from "./contract/store_driver.ts";

/**
 * The extension point for stores of access logs. A plugin contributes a store under a name; `store` in the
 * configuration of http_access_log chooses one. Every store must pass the tests of `logStoreSuite`.
 */
export const LogStoreDrivers: ExtensionPoint<LogStoreDriver> = defineExtensionPoint("http_access_log.store_drivers");
