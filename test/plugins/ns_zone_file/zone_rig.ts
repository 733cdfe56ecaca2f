import { as, stub, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll } from "vitest";
import clusters from "../../../plugins/ns_cluster/plugin.ts";
import { NSClusterService } from "../../../plugins/ns_cluster/proto/service_ns_cluster_pb.ts";
import domains from "../../../plugins/ns_domain/plugin.ts";
import records from "../../../plugins/ns_record/plugin.ts";
import { NSRecordService } from "../../../plugins/ns_record/proto/service_ns_record_pb.ts";
import routes from "../../../plugins/ns_route/plugin.ts";
import plugin from "../../../plugins/ns_zone_file/plugin.ts";
import { NSZoneFileService } from "../../../plugins/ns_zone_file/proto/service_ns_zone_file_pb.ts";
import { Users } from "../../../plugins/user/contract.ts";
import { ada } from "../ns_record/rig.ts";

const { exportNSZoneFile, importNSZoneFile } = NSZoneFileService.method;
export let edgehelm: TestKernel;

/** Opens the kernel before the tests of a file, and closes it after them. */
export function useKernel(): void {
  beforeAll(async () => {
    const users = stub(Users, {
      requireUser: async () => {},
      summaries: async () => new Map(),
      nested: async () => new Map(),
    });
    edgehelm = await testKernel({ plugins: [clusters, domains, records, routes, plugin], stubs: [users] });
    const hosts = ["ns1.edge.test", "ns2.edge.test"];
    const cluster = { name: "dns", hosts, email: "dns.team@edge.test" };
    await edgehelm.call(as.admin(), NSClusterService.method.createNSCluster, cluster);
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());
}

export async function exportZone(nsDomainId: bigint): Promise<string> {
  return (await edgehelm.call(ada, exportNSZoneFile, { nsDomainId })).zoneFile;
}

export async function importZone(nsDomainId: bigint, zoneFile: string, replace = false) {
  const { countCreated, countUpdated, countSkipped, countRemoved, problems } = await edgehelm.call(
    ada,
    importNSZoneFile,
    {
      nsDomainId,
      zoneFile,
      replace,
    },
  );
  const counts = [countCreated, countUpdated, countSkipped, countRemoved].map(Number);
  return { counts, problems: problems.map(({ line, message }) => `${line}: ${message}`) };
}

export async function listRecords(nsDomainId: bigint): Promise<string[]> {
  const { nsRecords } = await edgehelm.call(ada, NSRecordService.method.listNSRecords, { nsDomainId, size: 1000n });
  return nsRecords.map(({ name, ttl, type, value, isOn }) => `${name} ${ttl} ${type} ${value}${isOn ? "" : " off"}`)
    .sort();
}
