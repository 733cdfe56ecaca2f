import { create, toBinary } from "@bufbuild/protobuf";
import type { LogEntry } from "../../../plugins/http_access_log/contract/log_store.ts";
import { HTTPAccessLogSchema } from "../../../plugins/http_access_log/proto/service_http_access_log_pb.ts";
import { wholeDay } from "../http_access_log/stores/filters.ts";
import { START } from "../http_access_log/stores/random_logs.ts";

/** Small limits, so that the store is always sealing or merging. */
export const CRASH_OPTIONS = { generationRows: 1500, partitionRows: 20_000, mergeCount: 3 } as const;
export const BATCH_ROWS = 200;
export const CRASH_DAY = wholeDay();
const LONG = "text ".repeat(20);

/** Returns a batch whose rows have its number as their owner. */
export function crashBatch(number: number): LogEntry[] {
  return Array.from({ length: BATCH_ROWS }, (_, index) => {
    // slightly out of order, as from several nodes
    const requestId = `${START * 1000 + number * 3 - number % 7}1${1_000_000 + index}${number}`;
    const userAgent = `${LONG}${number}`;
    const log = toBinary(HTTPAccessLogSchema, create(HTTPAccessLogSchema, { requestId, serverId: 1n, userAgent }));
    return { requestId, userId: BigInt(number), nodeClusterId: 1n, log, requestBody: new Uint8Array() };
  });
}
