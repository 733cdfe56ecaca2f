import { type Call, invalid } from "edgehelm";
import { daysField } from "edgehelm/fields";
import type { AuditFilter, AuditLog, AuditRecord } from "edgehelm/runtime";
import type { FindInstallationAuditRecordsRequest } from "./proto/service_installation_pb.ts";

const MAX_TEXT = 200;

/** Returns the state of the audit log. */
export async function auditMessage(auditLog: AuditLog, call: Call) {
  const last = await auditLog.lastVerification(call);
  const { keepDays, guardDays } = auditLog.settings;
  if (last === undefined) return { state: "never", keepDays, guardDays };
  return {
    state: last.errors.length === 0 ? "ok" : "broken",
    verifiedAt: BigInt(Math.floor(last.verifiedAt / 1000)),
    durationMilliseconds: BigInt(Math.round(last.milliseconds)),
    countRecords: BigInt(last.records),
    countErased: BigInt(last.erased),
    head: last.head,
    errors: [...last.errors],
    keepDays,
    guardDays,
  };
}

/**
 * Reads the filter of a list of records.
 *
 * @throws RpcError invalid that names the field
 */
export function auditRecordsFilter(request: FindInstallationAuditRecordsRequest): AuditFilter {
  if (request.callerId < 0n) throw invalid("callerId", `must not be negative, got ${request.callerId}`);
  return {
    ...daysField(request),
    role: shortField("role", request.role),
    callerId: request.callerId,
    operation: shortField("operation", request.operation),
    object: shortField("object", request.object),
  };
}

function shortField(name: string, value: string): string {
  const text = value.trim();
  if (text.length <= MAX_TEXT) return text;
  throw invalid(name, `must have at most ${MAX_TEXT} characters, got ${text.length}`);
}

/** Returns a record as a message. */
export function recordMessage({ objects, changesJSON, code, count, erasedAt, ...record }: AuditRecord) {
  // The record of deleted contents has an object instead of a list.
  const changes = changesJSON.startsWith("{") ? `[${changesJSON}]` : changesJSON;
  return {
    ...record,
    objects: objects === "" ? [] : objects.split(" "),
    changesJSON: new TextEncoder().encode(changes),
    code: Number(code),
    countCalls: count,
    isErased: erasedAt > 0n,
  };
}
