import { NSClusterService } from "../../../plugins/ns_cluster/proto/service_ns_cluster_pb.ts";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { type NSRecord, NSRecordService } from "../../../plugins/ns_record/proto/service_ns_record_pb.ts";
import { CallError } from "../../harness/call_error.ts";
import type { WireCaller } from "../wire_caller.ts";
import { type Action, DONE, MISSING, rowText, TAKEN } from "./record_model.ts";

/** The plugins of an installation with records. */
export const PLUGINS = ["admin", "api_access_token", "ns_cluster", "ns_domain", "ns_record", "user_access_key"];

/** Records with this type and value are identical if their names are; the description is what changes. */
const SAME = { type: "TXT", value: "x" };
const REFUSALS: Readonly<Record<string, string>> = { "ns_record.not_found": MISSING!, "ns_record.duplicate": TAKEN! };
const MAX_ROWS = 100n;

/** Creates a cluster for domains, and returns its id. */
export async function createCluster(caller: WireCaller): Promise<bigint> {
  return (await caller.call(NSClusterService.method.createNSCluster, { name: "histories" })).nsClusterId;
}

/** Creates a domain, and returns its id. */
export async function createDomain(caller: WireCaller, nsClusterId: bigint, name: string): Promise<bigint> {
  return (await caller.call(NSDomainService.method.createNSDomain, { nsClusterId, name })).nsDomainId;
}

/** The options of a call. */
export interface CallOptions {
  readonly key: string;
  readonly signal?: AbortSignal;
}

/**
 * Makes a call on the records of a domain, and returns its result as the model gives it.
 *
 * @throws NoResponse if there is no response
 */
export async function callRecords(
  caller: WireCaller,
  nsDomainId: bigint,
  action: Action,
  options: CallOptions,
): Promise<string> {
  try {
    return await resultOf(caller, nsDomainId, action, options);
  } catch (error) {
    const refusal = error instanceof CallError ? REFUSALS[error.reason] : undefined;
    if (refusal === undefined) throw error;
    return refusal;
  }
}

async function resultOf(
  caller: WireCaller,
  nsDomainId: bigint,
  action: Action,
  { key, signal }: CallOptions,
): Promise<string> {
  const { method } = NSRecordService;
  switch (action.kind) {
    case "create": {
      const request = { ...SAME, nsDomainId, name: action.name, description: action.value };
      return String((await caller.call(method.createNSRecord, request, key, signal)).nsRecordId);
    }
    case "update": {
      const { id, name, value } = action;
      const request = { ...SAME, nsRecordId: BigInt(id), name, description: value, isOn: true };
      await caller.call(method.updateNSRecord, request, key, signal);
      return DONE!;
    }
    case "delete":
      await caller.call(method.deleteNSRecord, { nsRecordId: BigInt(action.id) }, key, signal);
      return DONE!;
    case "find":
      return textOf(
        (await caller.call(method.findNSRecord, { nsRecordId: BigInt(action.id) }, undefined, signal)).nsRecord,
      );
    case "findByName": {
      const request = { nsDomainId, name: action.name, type: SAME.type };
      return textOf((await caller.call(method.findNSRecordWithNameAndType, request, undefined, signal)).nsRecord);
    }
    case "list": {
      const request = { nsDomainId, size: MAX_ROWS };
      const { nsRecords } = await caller.call(method.listNSRecords, request, undefined, signal);
      return nsRecords.toSorted((first, second) => Number(first.id - second.id)).map(textOf).join();
    }
    case "count":
      return String((await caller.call(method.countAllNSRecords, { nsDomainId }, undefined, signal)).count);
  }
}

function textOf(record: NSRecord | undefined): string {
  if (record === undefined) return MISSING!;
  return rowText({ id: String(record.id), name: record.name, value: record.description });
}
