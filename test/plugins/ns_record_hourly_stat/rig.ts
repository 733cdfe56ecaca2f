import { as, type TestCaller, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll } from "vitest";
import { PrometheusMetrics } from "../../../core/host/observe/metrics.ts";
import nodeBase from "../../../plugins/node_base/plugin.ts";
import clusters from "../../../plugins/ns_cluster/plugin.ts";
import { NSClusterService } from "../../../plugins/ns_cluster/proto/service_ns_cluster_pb.ts";
import domains from "../../../plugins/ns_domain/plugin.ts";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import nodes from "../../../plugins/ns_node/plugin.ts";
import { NSNodeService } from "../../../plugins/ns_node/proto/service_ns_node_pb.ts";
import records from "../../../plugins/ns_record/plugin.ts";
import { NSRecordService } from "../../../plugins/ns_record/proto/service_ns_record_pb.ts";
import stats from "../../../plugins/ns_record_hourly_stat/plugin.ts";
import { NSRecordHourlyStatService } from "../../../plugins/ns_record_hourly_stat/proto/service_ns_record_hourly_stat_pb.ts";

export const rpc = { ...NSClusterService.method, ...NSDomainService.method, ...NSRecordService.method };
export const service = NSRecordHourlyStatService.method;
export const admin = as.admin();
export const [ada, bob] = [as.user(7n), as.user(8n)];
/** 2025-03-10 12:02 in UTC. */
export const NOON = 1741608120n;
export const HOUR = 3600n;
export const DAY = 24n * HOUR;

export const plugins = [nodeBase, nodes, clusters, domains, records, stats];

export let edgehelm: TestKernel;
export const clock = new TestClock(Number(NOON) * 1000);
export let node: TestCaller;
export let nsClusterId: bigint;
let metrics = new PrometheusMetrics();

/** Opens a kernel with a cluster and a node in it before the tests of a file, and closes it after them. */
export function useKernel(config: Record<string, number> = {}): void {
  beforeAll(async () => {
    metrics = new PrometheusMetrics();
    edgehelm = await testKernel({
      plugins,
      config: { ns_record_hourly_stat: config },
      clock,
      metrics,
    });
    ({ nsClusterId, node } = await createCluster());
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());
}

/** Returns the number of rows that were dropped. */
export async function droppedRows(): Promise<number> {
  return Number(/^edgehelm_ns_record_hourly_stat_foreign_rows_total (\d+)$/m.exec(await metrics.text())?.[1] ?? 0);
}

export async function createCluster() {
  const { nsClusterId } = await edgehelm.call(admin, rpc.createNSCluster, { name: "main", hosts: ["ns.edge.test"] });
  return { nsClusterId, node: await createNode(nsClusterId) };
}

export async function createNode(nodeClusterId: bigint): Promise<TestCaller> {
  const { nsNodeId } = await edgehelm.call(admin, NSNodeService.method.createNSNode, { name: "ns1", nodeClusterId });
  return as.dns(nsNodeId);
}

let serial = 0;

/** Creates a domain of user 7 with a record. */
export async function createDomain(cluster = nsClusterId) {
  const name = `n${++serial}.example`;
  const { nsDomainId } = await edgehelm.call(admin, rpc.createNSDomain, { name, nsClusterId: cluster, userId: 7n });
  return { nsDomainId, nsRecordId: await createRecord(nsDomainId, "www") };
}

export async function createRecord(nsDomainId: bigint, name: string): Promise<bigint> {
  const record = { nsDomainId, name, type: "A", value: "192.0.2.1" };
  return (await edgehelm.call(admin, rpc.createNSRecord, record)).nsRecordId;
}

interface Upload {
  readonly stats?: readonly object[];
  readonly domainStats?: readonly object[];
  readonly uploadId?: string;
}

/** Uploads queries; each row is one query of 100 bytes now, unless it says otherwise. */
export function upload({ stats = [], domainStats = [], uploadId = "" }: Upload, caller = node) {
  const one = { bytes: 100n, countRequests: 1n, createdAt: NOON };
  return edgehelm.call(caller, service.uploadNSRecordHourlyStats, {
    stats: stats.map((stat) => ({ ...one, ...stat })),
    domainStats: domainStats.map((stat) => ({ ...one, questionType: "A", responseCode: "NOERROR", ...stat })),
    uploadId,
  });
}

/** Returns the queries of a record in an hour. */
export async function queriesOf(nsRecordId: bigint, hour = "2025031012") {
  const { nsRecordHourlyStat } = await edgehelm.call(admin, service.findNSRecordHourlyStat, { nsRecordId, hour });
  return Number(nsRecordHourlyStat!.countRequests);
}

export async function sumsOf(nsDomainId: bigint, hours = 24) {
  const sums = await edgehelm.call(admin, service.sumNSDomainStats, { nsDomainId, hours });
  const named = (rows: typeof sums.types) =>
    Object.fromEntries(rows.map((row) => [row.name, Number(row.countRequests)]));
  return {
    count: Number(sums.countRequests),
    bytes: Number(sums.bytes),
    types: named(sums.types),
    codes: named(sums.codes),
    records: sums.records.map((row) => [row.nsRecordId, Number(row.countRequests)]),
  };
}
