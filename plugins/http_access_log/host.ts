import { resolve } from "node:path";
import type { HostContext } from "edgehelm/runtime";
import type { HTTPAccessLogConfig } from "./proto/config_pb.ts";
import { addressOf } from "./host/clickhouse/address.ts";
import { clickHouseLogs } from "./host/clickhouse/store.ts";
import { createTextFile, readLines } from "./host/files.ts";
import { openSegments } from "./host/segments/open.ts";
import { diskSpace } from "./host/space.ts";
import type { LogHost } from "./log_host.ts";

const DEFAULT_DIRECTORY = "access_logs";

/** Opens the host part of the plugin. */
export function open({ segments, clickhouse }: HTTPAccessLogConfig, { dataDirectory }: HostContext): LogHost {
  const directory = resolve(dataDirectory, segments?.directory || DEFAULT_DIRECTORY);
  return {
    stores: {
      segments: (deps) => openSegments(directory, deps),
      ...(clickhouse && { clickhouse: clickHouseLogs(addressOf(clickhouse)) }),
    },
    space: () => diskSpace(directory),
    lines: (_call, path) => readLines(path),
    create: (_call, path) => createTextFile(path),
  };
}
