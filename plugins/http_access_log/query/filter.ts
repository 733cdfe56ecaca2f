import { type Call, invalid, ownerOf } from "edgehelm";
import type { Servers } from "../../server/contract.ts";
import { ipRange } from "./ip_range.ts";
import { parseKeyword } from "./keyword.ts";
import type { LogFilter, LogStore } from "../contract/log_store.ts";
import { boundsOfDay, spanOf } from "../request_id.ts";
import { VIEW_ACCESS_LOG } from "../viewing.ts";
import type { ListHTTPAccessLogsRequest } from "../proto/service_http_access_log_pb.ts";

const MAX_KEYWORD = 500;
/** The maximum length of a host name, with wildcards or without. */
const MAX_HOST = 253;

/** Returns a filter that matches every log of a day. */
export function everyLog(day: bigint): LogFilter {
  return {
    ...{ ...boundsOfDay(day), partition: undefined, serverId: 0n, userId: 0n, nodeId: 0n, nodeClusterId: 0n },
    ...{ firewallPolicyId: 0n, firewallRuleGroupId: 0n, firewallRuleSetId: 0n, hasFirewallPolicy: false },
    ...{ hasError: false, ip: undefined, host: "", keyword: undefined },
  };
}

/**
 * Translates a request into a store's filter; undefined if its partition does not exist.
 *
 * @throws RpcError invalid for a malformed day, hour, address, domain or keyword, and the error of `servers` for a site that is
 *   not the caller's
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
  if (call.caller.role === "user" && serverId !== 0n) {
    await servers.requireOwned(call, serverId);
    await servers.requireFeature(call, "serverId", serverId, VIEW_ACCESS_LOG);
  }
  const partition = await partitionOf(call, request, logs);
  return partition === "none" ? undefined : { ...filter, ...span, partition };
}

/** Returns the requested partition: undefined for the whole day, "none" if it does not exist. */
async function partitionOf(call: Call, { day, partition }: ListHTTPAccessLogsRequest, logs: LogStore) {
  const all = await logs.partitions(call, BigInt(day));
  if (all.length <= 1 && partition <= 0) return undefined;
  const found = partition < 0 ? all.at(-1) : all.find((one) => Number(one) === partition);
  return found ?? "none";
}

/** Normalizes a host to the form in logs; a wildcard * stays. */
function hostOf(domain: string): string {
  const host = domain.trim().toLowerCase();
  if (host.length > MAX_HOST) throw invalid("domain", `must have at most ${MAX_HOST} characters, got ${host.length}`);
  // deno-lint-ignore no-control-regex
  if (/^[\x00-\x7f]*$/.test(host) || host.includes("*")) return host;
  return URL.parse(`http://${host}`)?.hostname ?? host;
}
