import { stub, type TestKernel } from "edgehelm/testing";
import { afterAll, beforeAll } from "vitest";
import { NSNodes } from "../../../plugins/ns_node/contract.ts";
import { admin, recordKernel, rpc } from "./rig.ts";

export let edgehelm: TestKernel;

/** Opens the kernel before the tests of a file, and closes it after them. */
export function useKernel(): void {
  beforeAll(async () => {
    edgehelm = await recordKernel([
      stub(NSNodes, { followedCluster: async ({ caller }) => caller.role === "dns" ? caller.nodeId : 0n }),
    ]);
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());
}

export async function values(nsDomainId: bigint, filter = {}) {
  const { nsRecords } = await edgehelm.call(admin, rpc.listNSRecords, { nsDomainId, size: 1000n, ...filter });
  return nsRecords.map(({ name, type, value }) => `${name} ${type} ${value}`);
}
