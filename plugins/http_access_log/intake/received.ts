import { type Call, callerId, invalid } from "edgehelm";
import { WireError } from "edgehelm/wire";
import { uploadTimeField, type UploadTimes } from "../../node_base/contract.ts";
import { itemsOf, keptLog } from "../log_bytes.ts";
import { type LogFields, logFields } from "../contract/log_fields.ts";
import { secondsOf } from "../contract/request_time.ts";
import { requestIdField } from "../request_id.ts";

/** The maximum number of logs in one call. */
export const MAX_LOGS = 10_000;
/** The number of the field `httpAccessLogs` of CreateHTTPAccessLogsRequest. */
const LOGS_FIELD = 1;

/** A validated log, not yet resolved to its owner. */
export interface ReceivedLog {
  readonly requestId: string;
  readonly serverId: bigint;
  readonly nodeId: bigint;
  /** True if a firewall took action on the request. */
  readonly isFirewalled: boolean;
  readonly log: Uint8Array;
  readonly requestBody: Uint8Array;
}

/**
 * Reads and validates the logs of an encoded CreateHTTPAccessLogsRequest.
 *
 * @throws RpcError invalid, naming the log and what is wrong with it
 */
export function receivedLogs(call: Call, request: Uint8Array, times: UploadTimes): ReceivedLog[] {
  const logs = itemsOf(request, LOGS_FIELD);
  if (logs.length > MAX_LOGS) {
    throw invalid("httpAccessLogs", `must have at most ${MAX_LOGS} items, got ${logs.length}`);
  }
  const nodeId = call.caller.role === "node" ? callerId(call.caller) : undefined;
  return logs.map((log, index) => receivedLog(`httpAccessLogs[${index}]`, log, nodeId, times));
}

/**
 * Validates one log.
 *
 * @param at the field path for errors
 * @param ownNodeId the node that sent the log; it replaces the node id in the log
 * @param times the accepted times
 */
export function receivedLog(
  at: string,
  log: Uint8Array,
  ownNodeId: bigint | undefined,
  times: UploadTimes,
): ReceivedLog {
  const fields = fieldsOf(at, log);
  const requestId = requestIdField(`${at}.requestId`, fields.requestId);
  uploadTimeField(`${at}.requestId`, secondsOf(requestId), requestId, times);
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
