import { fromBinary } from "@bufbuild/protobuf";
import { type Clock, type Handlers, onlyOwned, pageOf } from "edgehelm";
import { encoded } from "edgehelm/wire";
import type { Nodes } from "../node/contract.ts";
import { uploadTimes } from "../node_base/contract.ts";
import type { NodeClusters } from "../node_cluster/contract.ts";
import type { Servers } from "../server/contract.ts";
import { LogResponses } from "./responses.ts";
import { filterOf } from "./query/filter.ts";
import type { Intake } from "./intake/intake.ts";
import type { FoundLogs, LogStore } from "./contract/log_store.ts";
import type { LogOwners } from "./intake/owners.ts";
import { receivedLogs } from "./intake/received.ts";
import { dayField, requestIdField } from "./request_id.ts";
import { seenBy } from "./viewing.ts";
import {
  FindHTTPAccessLogRequestSchema,
  type HTTPAccessLogService,
  ListHTTPAccessLogsRequestSchema,
} from "./proto/service_http_access_log_pb.ts";

const EMPTY = new Uint8Array();

export interface Deps {
  readonly logs: LogStore;
  readonly intake: Intake;
  readonly owners: LogOwners;
  readonly servers: Servers;
  readonly nodes: Nodes | undefined;
  readonly clusters: NodeClusters | undefined;
  readonly clock: Clock;
  /** The number of days before today for which nodes can upload. */
  readonly pastDays: number;
}

export function httpAccessLogHandlers(
  { logs, intake, owners, servers, nodes, clusters, clock, pastDays }: Deps,
): Handlers<typeof HTTPAccessLogService> {
  const responses = new LogResponses(nodes, clusters);

  return {
    createHTTPAccessLogs: encoded(async (request, call) => {
      const received = intake.sampled(receivedLogs(call, request, uploadTimes(call, clock, pastDays)));
      await intake.append(call, received.length, async () => {
        const entries = await owners.entries(call, received);
        if (entries.length > 0) await logs.append(call, entries);
        return entries.length;
      });
      return EMPTY;
    }),

    listHTTPAccessLogs: encoded(async (bytes, call) => {
      const request = fromBinary(ListHTTPAccessLogsRequestSchema, bytes);
      const { requestId: cursor, reverse: oldestFirst } = request;
      const size = Number(pageOf(request).size);
      const filter = await filterOf(call, request, logs, servers);
      const page = { cursor, oldestFirst, size: size + 1, withBodies: false };
      const { entries: found, stoppedAt }: FoundLogs = filter === undefined
        ? { entries: [] }
        : await logs.list(call, filter, page);
      const isFull = found.length > size;
      const inPage = found.slice(0, size);
      const last = inPage.at(-1)?.requestId;
      // a search that stopped early got further than the last log it found
      const requestId = (isFull ? last : stoppedAt ?? last) ?? cursor;
      if (oldestFirst) inPage.reverse();
      const entries = await seenBy(call, servers, inPage);
      return await responses.list(call, { entries, requestId, hasMore: isFull || stoppedAt !== undefined });
    }),

    findHTTPAccessLog: encoded(async (bytes, call) => {
      const { requestId } = fromBinary(FindHTTPAccessLogRequestSchema, bytes);
      const entry = await logs.find(call, requestIdField("requestId", requestId));
      const owned = onlyOwned(call, entry);
      const [seen] = owned === undefined ? [] : await seenBy(call, servers, [owned]);
      return await responses.found(call, seen);
    }),

    async findHTTPAccessLogPartitions({ day }, call) {
      dayField("day", day);
      const partitions = (await logs.partitions(call, BigInt(day))).map(Number);
      return { partitions, reversePartitions: partitions.toReversed() };
    },
  };
}
