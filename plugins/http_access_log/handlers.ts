import { create } from "@bufbuild/protobuf";
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
import type { LogEntry, LogStore } from "./log_store.ts";
import { dayField, requestIdField, secondsOf, spanOf } from "./request_id.ts";
import type { HTTPAccessLog, HTTPAccessLogService, ListHTTPAccessLogsRequest } from "./service_http_access_log_pb.ts";

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
    const nodeOf = await nodes?.summaries(call, distinct(entries.map(({ log }) => log.nodeId)));
    return entries.map(({ log, nodeClusterId }) => {
      const nodeCluster = { id: nodeClusterId, name: clusterOf?.get(nodeClusterId)?.name ?? "" };
      const name = nodeOf?.get(log.nodeId)?.name ?? "";
      return { ...log, node: create(NodeSchema, { id: log.nodeId, name, nodeCluster }) };
    });
  }

  /** The bounds of a partition within a day; undefined when there is none. */
  async function partitionOf(call: Call, request: ListHTTPAccessLogsRequest, span: { from: string; to: string }) {
    const all = await logs.partitions(call, BigInt(request.day));
    if (all.length <= 1 && request.partition <= 0) return { ...span, partition: undefined };
    const wanted = request.partition < 0
      ? all.at(-1)
      : all.find(({ partition }) => Number(partition) === request.partition);
    if (wanted === undefined) return undefined;
    const { firstId, lastId, partition } = wanted;
    return { from: firstId > span.from ? firstId : span.from, to: lastId < span.to ? lastId : span.to, partition };
  }

  async function filterOf(call: Call, request: ListHTTPAccessLogsRequest) {
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
    const part = await partitionOf(call, request, span);
    return part && { ...filter, ...part };
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
        return { log: { ...log, nodeId }, userId: server?.userId ?? 0n, nodeClusterId };
      });
      await logs.append(call, entries);
      return {};
    },

    async listHTTPAccessLogs(request, call) {
      const { size } = pageOf(request);
      const filter = await filterOf(call, request);
      const page = { cursor: request.requestId, oldestFirst: request.reverse, size: size + 1n };
      const found = filter === undefined ? [] : await logs.list(call, filter, page);
      const shown = found.slice(0, Number(size));
      const requestId = shown.at(-1)?.log.requestId ?? request.requestId;
      if (request.reverse) shown.reverse();
      return { httpAccessLogs: await messages(call, shown), requestId, hasMore: found.length > shown.length };
    },

    async findHTTPAccessLog({ requestId }, call) {
      const entry = await logs.find(call, requestIdField("requestId", requestId));
      if (entry === undefined || !owns(call.caller, entry.userId)) return {};
      const [httpAccessLog] = await messages(call, [entry]);
      return { httpAccessLog: httpAccessLog! };
    },

    async findHTTPAccessLogPartitions({ day }, call) {
      dayField("day", day);
      const partitions = (await logs.partitions(call, BigInt(day))).map(({ partition }) => Number(partition));
      return { partitions, reversePartitions: partitions.toReversed() };
    },
  };
}

/** A host as logs have it, with * kept. */
function hostOf(domain: string): string {
  const host = domain.trim().toLowerCase();
  // deno-lint-ignore no-control-regex
  if (/^[\x00-\x7f]*$/.test(host) || host.includes("*")) return host;
  return URL.parse(`http://${host}`)?.hostname ?? host;
}
