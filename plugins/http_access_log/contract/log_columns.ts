import { logFields } from "./log_fields.ts";
import type { LogEntry } from "./log_store.ts";

/** Returns the values by which a table of logs is searched, under the names of its columns. */
export function columnsOf({ requestId, userId, nodeClusterId, log }: LogEntry) {
  const fields = logFields(log);
  const { serverId, nodeId, status, firewallPolicyId, firewallRuleGroupId, firewallRuleSetId, tags } = fields;
  const { ipKey, remoteAddr, host, scheme, proto, requestMethod, requestURI, requestPath, referer, userAgent } = fields;
  return {
    ...{ requestId, serverId, userId, nodeId, nodeClusterId, status },
    ...{ firewallPolicyId, firewallRuleGroupId, firewallRuleSetId, ipKey, remoteAddr, host, scheme, proto },
    ...{ requestMethod, requestURI, requestPath, referer, userAgent, tags },
  };
}
