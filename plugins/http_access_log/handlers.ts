import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  type Call,
  callerId,
  type Clock,
  distinct,
  type Handlers,
  invalid,
  listField,
  ownerOf,
  owns,
  pageOf,
  unixSeconds,
} from "edgehelm";
import { NodeSchema } from "edgehelm/proto/models/node_pb.js";
import type { Nodes } from "../node/contract.ts";
import type { NodeClusters } from "../node_cluster/contract.ts";
import type { Servers } from "../server/contract.ts";
import { ipRange } from "./ip.ts";
import { parseKeyword } from "./keyword.ts";
import type { FoundLogs, LogEntry, LogFilter, LogStore } from "./log_store.ts";
import { dayField, requestIdField, secondsOf, spanOf } from "./request_id.ts";
import {
  type HTTPAccessLog,
  HTTPAccessLogSchema,
  type HTTPAccessLogService,
  type ListHTTPAccessLogsRequest,
} from "./service_http_access_log_pb.ts";

const MAX_LOGS = 5000;
const MAX_KEYWORD = 500;
const MAX_CLOCK_SKEW = 86_400;

export interface Parts {
  readonly logs: LogStore;
  readonly servers: Servers;
  readonly nodes: Nodes | undefined;
  readonly clusters: NodeClusters | undefined;
  readonly clock: Clock;
}

export function httpAccessLogHandlers(
  { logs, servers, nodes, clusters, clock }: Parts,
): Handlers<typeof HTTPAccessLogService> {
  /** Logs with their nodes and the clusters of these. */
  async function messages(call: Call, entries: readonly LogEntry[]) {
    const clusterIds = distinct(entries.map(({ nodeClusterId }) => nodeClusterId)).filter((id) => id !== 0n);
    const clusterOf = clusterIds.length === 0 ? undefined : await clusters?.summaries(call, clusterIds);
    const logs = entries.map(({ log }) => fromBinary(HTTPAccessLogSchema, log));
    const nodeOf = await nodes?.summaries(call, distinct(logs.map(({ nodeId }) => nodeId)));
    return entries.map(({ nodeClusterId, requestBody }, index) => {
      const log = logs[index]!;
      const nodeCluster = { id: nodeClusterId, name: clusterOf?.get(nodeClusterId)?.name ?? "" };
      const name = nodeOf?.get(log.nodeId)?.name ?? "";
      return { ...log, requestBody, node: create(NodeSchema, { id: log.nodeId, name, nodeCluster }) };
    });
  }

  /** The partition that is asked for: undefined for the whole day, "none" where there is no such one. */
  async function partitionOf(call: Call, { day, partition }: ListHTTPAccessLogsRequest) {
    const all = await logs.partitions(call, BigInt(day));
    if (all.length <= 1 && partition <= 0) return undefined;
    const wanted = partition < 0 ? all.at(-1) : all.find((one) => Number(one) === partition);
    return wanted ?? "none";
  }

  async function filterOf(call: Call, request: ListHTTPAccessLogsRequest): Promise<LogFilter | undefined> {
    const span = spanOf(request);
    const keyword = request.keyword.trim();
    if (keyword.length > MAX_KEYWORD) throw invalid("keyword", `must have at most ${MAX_KEYWORD} characters`);
    const filter = {
      ...request,
      userId: ownerOf(call, request.userId),
      ip: request.ip.trim() === "" ? undefined : ipRange("ip", request.ip),
      host: hostOf(request.domain),
      keyword: parseKeyword("keyword", keyword),
    };
    if (call.caller.role === "user" && request.serverId !== 0n) await servers.requireOwned(call, request.serverId);
    const partition = await partitionOf(call, request);
    return partition === "none" ? undefined : { ...filter, ...span, partition };
  }

  return {
    async createHTTPAccessLogs({ httpAccessLogs }, call) {
      const latest = Number(unixSeconds(clock)) + MAX_CLOCK_SKEW;
      const checked = listField("httpAccessLogs", httpAccessLogs, (field, log) => {
        const requestId = requestIdField(`${field}.requestId`, log.requestId);
        if (secondsOf(requestId) <= latest) return log;
        throw invalid(`${field}.requestId`, `must not lie in the future, got ${requestId}`);
      }, { max: MAX_LOGS });
      const known = await servers.summaries(call, distinct(checked.map(({ serverId }) => serverId)));
      const nodeIdOf = (log: HTTPAccessLog) => call.caller.role === "node" ? callerId(call.caller) : log.nodeId;
      const nodeOf = await nodes?.summaries(call, distinct(checked.map(nodeIdOf)));
      const entries = checked.map((log) => {
        const server = known.get(log.serverId);
        const nodeId = nodeIdOf(log);
        const nodeClusterId = nodeOf?.get(nodeId)?.nodeClusterId ?? server?.nodeClusterId ?? 0n;
        const { requestId, requestBody } = log;
        const shown = toBinary(HTTPAccessLogSchema, { ...withoutNode(log), nodeId, requestBody: new Uint8Array() });
        return { requestId, log: shown, requestBody, userId: server?.userId ?? 0n, nodeClusterId };
      });
      await logs.append(call, entries);
      return {};
    },

    async listHTTPAccessLogs(request, call) {
      const { size } = pageOf(request);
      const filter = await filterOf(call, request);
      const { requestId: cursor, reverse: oldestFirst } = request;
      const page = { cursor, oldestFirst, size: Number(size) + 1, withBodies: false };
      const { entries, stoppedAt }: FoundLogs = filter === undefined
        ? { entries: [] }
        : await logs.list(call, filter, page);
      const shown = entries.slice(0, Number(size));
      const isFull = entries.length > shown.length;
      const last = shown.at(-1)?.requestId;
      const requestId = (isFull ? last : stoppedAt ?? last) ?? cursor;
      if (oldestFirst) shown.reverse();
      const hasMore = isFull || stoppedAt !== undefined;
      return { httpAccessLogs: await messages(call, shown), requestId, hasMore };
    },

    async findHTTPAccessLog({ requestId }, call) {
      const entry = await logs.find(call, requestIdField("requestId", requestId));
      if (entry === undefined || !owns(call.caller, entry.userId)) return {};
      const [httpAccessLog] = await messages(call, [entry]);
      return { httpAccessLog: httpAccessLog! };
    },

    async findHTTPAccessLogPartitions({ day }, call) {
      dayField("day", day);
      const partitions = (await logs.partitions(call, BigInt(day))).map(Number);
      return { partitions, reversePartitions: partitions.toReversed() };
    },
  };
}

function withoutNode({ node: _node, ...log }: HTTPAccessLog): Omit<HTTPAccessLog, "node"> {
  return log;
}

/** A host as logs have it, with * kept. */
function hostOf(domain: string): string {
  const host = domain.trim().toLowerCase();
  // deno-lint-ignore no-control-regex
  if (/^[\x00-\x7f]*$/.test(host) || host.includes("*")) return host;
  return URL.parse(`http://${host}`)?.hostname ?? host;
}
