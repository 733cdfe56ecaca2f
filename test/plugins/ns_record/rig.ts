import { as, type Stub, type TestKernel } from "edgehelm/testing";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import records from "../../../plugins/ns_record/plugin.ts";
import {
  type CreateNSRecordRequestSchema,
  NSRecordService,
} from "../../../plugins/ns_record/proto/service_ns_record_pb.ts";
import routes from "../../../plugins/ns_route/plugin.ts";
import { domainKernel, type RigOptions } from "../ns_domain/rig.ts";

export const rpc = NSRecordService.method;
export const admin = as.admin();
export const ada = as.user(7n);
export const bob = as.user(8n);

/** Starts a kernel with ns_record, ns_domain and ns_route; clusters 1 to 3 and users 1 to 99 exist. */
export function recordKernel(
  stubs: readonly Stub[] = [],
  options: Pick<RigOptions, "clock"> = {},
): Promise<TestKernel> {
  return domainKernel({ plugins: [records, routes], stubs, ...options });
}

/** Creates a domain of a caller on cluster 1 and returns its id. */
export async function createDomain(edgehelm: TestKernel, owner: typeof ada, name: string): Promise<bigint> {
  const request = { name, nsClusterId: 1n };
  return (await edgehelm.call(owner, NSDomainService.method.createNSDomain, request)).nsDomainId;
}

/** Creates a record and returns it as it is found. */
export async function createRecord(
  edgehelm: TestKernel,
  owner: typeof ada,
  request: MessageInitShape<typeof CreateNSRecordRequestSchema>,
) {
  const { nsRecordId } = await edgehelm.call(owner, rpc.createNSRecord, request);
  return (await edgehelm.call(owner, rpc.findNSRecord, { nsRecordId })).nsRecord!;
}

export function bytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}
