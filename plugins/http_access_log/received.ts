import { type Call, callerId, invalid, WireError } from "edgehelm";
import { itemsOf, keptLog } from "./log_bytes.ts";
import { type LogFields, logFields } from "./log_fields.ts";
import { requestIdField, secondsOf } from "./request_id.ts";

/** The most logs of one call. */
export const MAX_LOGS = 10_000;
const MAX_CLOCK_SKEW = 86_400;
/** The field of CreateHTTPAccessLogsRequest that has the logs. */
const LOGS = 1;

/** A log that was sent and checked. */
export interface ReceivedLog {
  readonly requestId: string;
  readonly serverId: bigint;
  readonly nodeId: bigint;
  /** Whether a firewall took action on the request. */
  readonly isFirewalled: boolean;
  readonly log: Uint8Array;
  readonly requestBody: Uint8Array;
}

/**
 * The logs of an encoded CreateHTTPAccessLogsRequest.
 *
 * @throws RpcError invalid, naming the log and its fault
 */
export function receivedLogs(call: Call, request: Uint8Array, now: number): ReceivedLog[] {
  const logs = itemsOf(request, LOGS);
  if (logs.length > MAX_LOGS) {
    throw invalid("httpAccessLogs", `must have at most ${MAX_LOGS} items, got ${logs.length}`);
  }
  const latest = latestSecond(now);
  const nodeId = call.caller.role === "node" ? callerId(call.caller) : undefined;
  return logs.map((log, index) => receivedLog(`httpAccessLogs[${index}]`, log, nodeId, latest));
}

/** The last second of which logs may be; clocks of nodes are not exact. */
export function latestSecond(now: number): number {
  return now / 1000 + MAX_CLOCK_SKEW;
}

/**
 * One log, checked.
 *
 * @param at where it stands, for the error
 * @param ownNodeId the node that sent it, whose log it is then, whatever it says itself
 */
export function receivedLog(
  at: string,
  log: Uint8Array,
  ownNodeId: bigint | undefined,
  latest: number,
): ReceivedLog {
  const fields = fieldsOf(at, log);
  const requestId = requestIdField(`${at}.requestId`, fields.requestId);
  if (secondsOf(requestId) > latest) {
    throw invalid(`${at}.requestId`, `must not lie in the future, got ${requestId}`);
  }
  const { serverId, firewallPolicyId } = fields;
  const nodeId = ownNodeId ?? fields.nodeId;
  return {
    ...{ requestId, serverId, nodeId, isFirewalled: firewallPolicyId !== 0n },
    ...keptLog(log, fields, nodeId),
  };
}

function fieldsOf(at: string, log: Uint8Array): LogFields {
  try {
    return logFields(log);
  } catch (error) {
    throw error instanceof WireError ? invalid(at, error.message) : error;
  }
}
