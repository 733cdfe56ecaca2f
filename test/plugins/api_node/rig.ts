import { as, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeEach } from "vitest";
import admin from "../../../plugins/admin/plugin.ts";
import { open } from "../../../plugins/api_node/host.ts";
import plugin from "../../../plugins/api_node/plugin.ts";
import { APINodeService } from "../../../plugins/api_node/proto/service_api_node_pb.ts";

export const rpc = APINodeService.method;
export const operator = as.admin();
export let clock: TestClock;

export let edgehelm: TestKernel;

/** Opens a kernel before each test of a file, and closes the last one after them. */
export function useKernel(): void {
  beforeEach(async () => {
    clock = new TestClock(1_800_000_000_000);
    await edgehelm?.[Symbol.asyncDispose]();
    edgehelm = await testKernel({ plugins: [plugin, admin], hosts: { api_node: open() }, clock });
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());
}

export async function current() {
  return (await edgehelm.call(operator, rpc.findCurrentAPINode, {})).apiNode!;
}
