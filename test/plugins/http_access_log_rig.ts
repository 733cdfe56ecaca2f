import type { JsonValue } from "@bufbuild/protobuf";
import { stub, type TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import plugin from "../../plugins/http_access_log/plugin.ts";
import { kernelErrors } from "../../core/errors.ts";
import { Nodes } from "../../plugins/node/contract.ts";
import { Servers } from "../../plugins/server/contract.ts";
import user from "../../plugins/user/plugin.ts";

/** http_access_log beside user; server n belongs to user n % 3, and stands on cluster n % 2 + 1; node 5 is known. */
export function logKernel({ clock, config = {} }: { clock: TestClock; config?: JsonValue }): Promise<TestKernel> {
  const servers: Partial<Servers> = {
    summaries: async (_call, ids) =>
      new Map(ids.map((id) => [id, { id, name: "", userId: id % 3n, nodeClusterId: id % 2n + 1n, userPlanId: 0n }])),
    requireOwned: async (call, id) => {
      if (call.caller.role === "user" && call.caller.userId !== id % 3n) throw kernelErrors.conflict("not owned");
    },
  };
  const node = { id: 5n, name: "five", isOn: true, nodeClusterId: 9n, nodeRegionId: 0n };
  const nodes: Partial<Nodes> = { summaries: async (_call, ids) => new Map(ids.includes(5n) ? [[5n, node]] : []) };
  const stubs = [stub(Servers, servers), stub(Nodes, nodes)];
  return testKernel({ plugins: [plugin, user], stubs, clock, config: { http_access_log: config } });
}
