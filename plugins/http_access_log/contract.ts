import { defineExtensionPoint, type ExtensionPoint } from "edgehelm";
import type { LogStoreDriver } from "./contract/store_driver.ts";

export * from "./contract/conditions.ts";
export * from "./contract/ip_key.ts";
export * from "./contract/log_columns.ts";
export * from "./contract/log_fields.ts";
export * from "./contract/log_store.ts";
export * from "./contract/request_time.ts";
export * from "./contract/store_driver.ts";

/**
 * The extension point for stores of access logs. A plugin contributes a store under a name; `store` in the
 * configuration of http_access_log chooses one. Every store must pass the tests of `logStoreSuite`.
 */
export const LogStoreDrivers: ExtensionPoint<LogStoreDriver> = defineExtensionPoint("http_access_log.store_drivers");
