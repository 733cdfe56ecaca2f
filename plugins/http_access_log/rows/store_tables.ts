import type { Generated } from "kysely";

export interface HTTPAccessLogRow {
  requestId: string;
  partition: bigint;
  serverId: bigint;
  userId: bigint;
  nodeId: bigint;
  nodeClusterId: bigint;
  status: bigint;
  firewallPolicyId: bigint;
  firewallRuleGroupId: bigint;
  firewallRuleSetId: bigint;
  ipKey: string;
  remoteAddr: string;
  host: string;
  scheme: string;
  proto: string;
  requestMethod: string;
  requestURI: string;
  requestPath: string;
  referer: string;
  userAgent: string;
  tags: string;
}

export interface Tables {
  httpAccessLogs: HTTPAccessLogRow & { id: Generated<bigint> };
  httpAccessLogDetails: { id: bigint; log: Uint8Array; requestBody: Uint8Array | null };
  httpAccessLogPartitions: { day: bigint; partition: bigint; n: bigint; firstId: string; lastId: string };
}
