import { as, type TestCaller, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll } from "vitest";
import nodeBase from "../../../plugins/node_base/plugin.ts";
import clusters from "../../../plugins/ns_cluster/plugin.ts";
import { NSClusterService } from "../../../plugins/ns_cluster/proto/service_ns_cluster_pb.ts";
import domains from "../../../plugins/ns_domain/plugin.ts";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import nodes from "../../../plugins/ns_node/plugin.ts";
import { NSNodeService } from "../../../plugins/ns_node/proto/service_ns_node_pb.ts";
import records from "../../../plugins/ns_record/plugin.ts";
import { NSRecordService } from "../../../plugins/ns_record/proto/service_ns_record_pb.ts";
import zones from "../../../plugins/ns_zone/plugin.ts";
import { NSZoneService } from "../../../plugins/ns_zone/proto/service_ns_zone_pb.ts";
import zoneFiles from "../../../plugins/ns_zone_file/plugin.ts";

export const rpc = { ...NSClusterService.method, ...NSDomainService.method, ...NSRecordService.method };
export const zoneRpc = NSZoneService.method;
export const admin = as.admin();
export const plugins = [nodeBase, nodes, clusters, domains, records, zones, zoneFiles];

export let edgehelm: TestKernel;
export let nsClusterId: bigint;
export let node: TestCaller;

/** Opens a kernel with a cluster and a node in it before the tests of a file, and closes it after them. */
export function useKernel(): void {
  beforeAll(async () => {
    edgehelm = await testKernel({ plugins });
    ({ nsClusterId, node } = await createCluster(["ns1.edge.test", "ns2.edge.test"]));
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());
}

/** Creates a cluster with a node. */
export async function createCluster(hosts: string[]) {
  const request = { name: "main", hosts, email: "dns.admin@edge.test" };
  const { nsClusterId } = await edgehelm.call(admin, rpc.createNSCluster, request);
  const { createNSNode } = NSNodeService.method;
  const { nsNodeId } = await edgehelm.call(admin, createNSNode, { name: "ns1", nodeClusterId: nsClusterId });
  return { nsClusterId, node: as.dns(nsNodeId) };
}

export async function createDomain(name: string, cluster = nsClusterId): Promise<bigint> {
  return (await edgehelm.call(admin, rpc.createNSDomain, { name, nsClusterId: cluster })).nsDomainId;
}

export async function createRecord(nsDomainId: bigint, name: string, type: string, value: string, more = {}) {
  const request = { nsDomainId, name, type, value, ...more };
  return (await edgehelm.call(admin, rpc.createNSRecord, request)).nsRecordId;
}

/** Returns what a node gets of one zone in one response. */
export async function changesOf(nsDomainId: bigint, version = 0n, size = 0n, caller = node) {
  const { zones } = await edgehelm.call(caller, zoneRpc.listNSZoneChanges, {
    positions: [{ nsDomainId, version }],
    size,
  });
  return zones[0]!;
}

type Changes = Awaited<ReturnType<typeof changesOf>>;

export function linesOf(lines: Changes["records"]): string[] {
  return lines.map(({ id, isDeleted, name, ttl, type, data }) =>
    isDeleted ? `${id} deleted` : `${name} ${ttl} ${type} ${data}`
  );
}
