import { as, stub, TestClock, type TestKernel, testKernel, type TestKernelOptions } from "edgehelm/testing";
import type { Logger } from "../../../core/base/log.ts";
import { afterAll, beforeAll } from "vitest";
import nodeBase from "../../../plugins/node_base/plugin.ts";
import { NodeIPAddresses } from "../../../plugins/node_ip_address/contract.ts";
import type { Machine } from "../../../plugins/report_node/machine.ts";
import plugin from "../../../plugins/report_node/plugin.ts";
import { ReportNodeService } from "../../../plugins/report_node/proto/service_report_node_pb.ts";
import groups from "../../../plugins/report_node_group/plugin.ts";
import { ReportNodeGroupService } from "../../../plugins/report_node_group/proto/service_report_node_group_pb.ts";
import results from "../../../plugins/report_result/plugin.ts";
import { ReportResultService } from "../../../plugins/report_result/proto/service_report_result_pb.ts";

export const rpc = { ...ReportNodeService.method, ...ReportResultService.method };
export const admin = as.admin();

/** Starts a kernel with report nodes, groups and results; cluster 1 has `count` accessible addresses. */
export async function reportKernel(
  { count = 3, machine, outbound = {}, log }: {
    count?: number;
    machine?: Machine;
    outbound?: NonNullable<TestKernelOptions["outbound"]>;
    log?: Logger;
  } = {},
) {
  const clock = new TestClock();
  const allAddresses = Array.from(
    { length: count },
    (_, index) => ({ id: BigInt(index + 1), ip: `192.0.2.${index + 1}`, isUp: true }),
  );
  const addressesOf = (role: string, clusterId: bigint) =>
    role === "node" && [0n, 1n].includes(clusterId) ? allAddresses : [];
  const addresses = stub(NodeIPAddresses, {
    accessible: async (_call, role, clusterId, { offset, size }) =>
      addressesOf(role, clusterId).slice(Number(offset), Number(offset + size)),
    byIds: async (_call, ids) =>
      new Map(
        allAddresses.filter(({ id }) => ids.includes(id)).map((address) => [
          address.id,
          { ...address, role: "node", canAccess: true },
        ]),
      ),
    setUp: async (_call, id, isUp) => {
      allAddresses.find((address) => address.id === id)!.isUp = isUp;
    },
    countAccessible: async (_call, role, clusterId) => BigInt(addressesOf(role, clusterId).length),
  });
  const edgehelm = await testKernel({
    plugins: [plugin, nodeBase, groups, results],
    stubs: [addresses],
    clock,
    outbound,
    ...(log && { log }),
    ...(machine && { hosts: { report_node: machine } }),
  });
  return { edgehelm, clock, downAddresses: () => allAddresses.filter(({ isUp }) => !isUp).map(({ id }) => Number(id)) };
}

export async function reportNode(edgehelm: TestKernel, name: string, overrides = {}): Promise<bigint> {
  return (await edgehelm.call(admin, rpc.createReportNode, { name, ...overrides })).reportNodeId;
}

export function bytes(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

export function parsed(json: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(json));
}

export let edgehelm: TestKernel;
export let clock: TestClock;

/** Opens the kernel before the tests of a file, and closes it after them. */
export function useKernel(): void {
  beforeAll(async () => {
    ({ edgehelm, clock } = await reportKernel());
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());
}

export async function find(reportNodeId: bigint) {
  return (await edgehelm.call(admin, rpc.findEnabledReportNode, { reportNodeId })).reportNode;
}

export const report = (id: bigint, status: object) =>
  edgehelm.call(as.report(id), rpc.updateReportNodeStatus, { statusJSON: bytes(status) });

export async function group(name: string): Promise<bigint> {
  const { createReportNodeGroup } = ReportNodeGroupService.method;
  return (await edgehelm.call(admin, createReportNodeGroup, { name })).reportNodeGroupId;
}
