import { resolve } from "node:path";
import type { OpenHost } from "edgehelm/runtime";
import type { LogStoreDeps, LogStoreHost, OpenLogStore } from "../http_access_log/contract.ts";
import { freeBytes } from "./host/free_bytes.ts";
import { SegmentStore } from "./host/segment_store.ts";
import type { AccessLogSegmentsConfig } from "./proto/config_pb.ts";

const DIRECTORY = "access_logs";
const MIN_FREE_BYTES = 1024n ** 3n;

/**
 * Opens the host part of the plugin.
 *
 * @throws Error if a setting is out of range
 */
export const open: OpenHost<LogStoreHost, AccessLogSegmentsConfig> = (config, { dataDirectory }) => {
  const directory = resolve(dataDirectory, config.directory || DIRECTORY);
  const { minFreeBytes = MIN_FREE_BYTES } = config;
  if (minFreeBytes < 0n) throw new Error(`minFreeBytes: must not be negative, got ${minFreeBytes}`);
  return { store: { open: (deps) => openSegments(directory, minFreeBytes, deps) } };
};

/** Opens the store in a directory and locks it for this process. */
function openSegments(
  directory: string,
  minFreeBytes: bigint,
  { clock, log, partitionRows }: LogStoreDeps,
): OpenLogStore {
  const store = new SegmentStore({ directory, partitionRows: Number(partitionRows) }, { clock, log });
  return {
    store,
    lacksSpace: async () => await freeBytes(directory) < minFreeBytes,
    close: () => store.close(),
  };
}
