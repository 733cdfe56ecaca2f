import { type Call, invalid, ownerOf } from "edgehelm";
import type { Servers } from "../server/contract.ts";
import { ipRange } from "./ip.ts";
import { parseKeyword } from "./keyword.ts";
import type { LogFilter, LogStore } from "./log_store.ts";
import { boundsOfDay, spanOf } from "./request_id.ts";
import type { ListHTTPAccessLogsRequest } from "./proto/service_http_access_log_pb.ts";

const MAX_KEYWORD = 500;

/** Every log of a day. */
export function everyLog(day: bigint): LogFilter {
  return {
    ...{ ...boundsOfDay(day), partition: undefined, serverId: 0n, userId: 0n, nodeId: 0n, nodeClusterId: 0n },
    ...{ firewallPolicyId: 0n, firewallRuleGroupId: 0n, firewallRuleSetId: 0n, hasFirewallPolicy: false },
    ...{ hasError: false, ip: undefined, host: "", keyword: undefined },
  };
}

/**
 * What a request asks for, in a store's terms; undefined when its partition does not exist.
 *
 * @throws RpcError invalid for a day, an hour, an address or a keyword that is none, and what `servers` throws for a site
 *   that is another user's
 */
export async function filterOf(
  call: Call,
  request: ListHTTPAccessLogsRequest,
  logs: LogStore,
  servers: Servers,
): Promise<LogFilter | undefined> {
  const span = spanOf(request);
  const keyword = request.keyword.trim();
  if (keyword.length > MAX_KEYWORD) throw invalid("keyword", `must have at most ${MAX_KEYWORD} characters`);
  const { serverId, nodeId, nodeClusterId, hasFirewallPolicy, hasError } = request;
  const { firewallPolicyId, firewallRuleGroupId, firewallRuleSetId } = request;
  const filter = {
    ...{ serverId, nodeId, nodeClusterId, hasFirewallPolicy, hasError },
    ...{ firewallPolicyId, firewallRuleGroupId, firewallRuleSetId },
    userId: ownerOf(call, request.userId),
    ip: request.ip.trim() === "" ? undefined : ipRange("ip", request.ip),
    host: hostOf(request.domain),
    keyword: parseKeyword("keyword", keyword),
  };
  if (call.caller.role === "user" && serverId !== 0n) await servers.requireOwned(call, serverId);
  const partition = await partitionOf(call, request, logs);
  return partition === "none" ? undefined : { ...filter, ...span, partition };
}

/** The partition that is asked for: undefined for the whole day, "none" where there is no such one. */
async function partitionOf(call: Call, { day, partition }: ListHTTPAccessLogsRequest, logs: LogStore) {
  const all = await logs.partitions(call, BigInt(day));
  if (all.length <= 1 && partition <= 0) return undefined;
  const wanted = partition < 0 ? all.at(-1) : all.find((one) => Number(one) === partition);
  return wanted ?? "none";
}

/** A host as logs have it, with * kept. */
function hostOf(domain: string): string {
  const host = domain.trim().toLowerCase();
  // deno-lint-ignore no-control-regex
  if (/^[\x00-\x7f]*$/.test(host) || host.includes("*")) return host;
  return URL.parse(`http://${host}`)?.hostname ?? host;
}
