import type { OpenHost } from "edgehelm/runtime";
import type { LogStoreHost } from "../http_access_log/contract.ts";
import { addressOf } from "./host/address.ts";
import { openClickHouse } from "./host/store.ts";
import type { AccessLogClickHouseConfig } from "./proto/config_pb.ts";

/** Opens the host part of the plugin. An incomplete configuration is an error only if the store is used. */
export const open: OpenHost<LogStoreHost, AccessLogClickHouseConfig> = (config) => ({
  store: { open: (deps) => openClickHouse(addressOf(config), deps) },
});
