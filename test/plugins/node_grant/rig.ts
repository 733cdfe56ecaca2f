import { definePlugin, invalid } from "edgehelm";
import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll } from "vitest";
import {
  NodeGrants,
  NodeGrantSuggestions,
  NodeGrantTargets,
  NodeGrantUses,
} from "../../../plugins/node_grant/contract.ts";
import plugin from "../../../plugins/node_grant/plugin.ts";
import { NodeGrantService } from "../../../plugins/node_grant/proto/service_node_grant_pb.ts";

export const rpc = NodeGrantService.method;
export const admin = as.admin();
export const usedBy = new Map<bigint, string[]>();
export const suggested: bigint[] = [];
export let grants: NodeGrants;

const probe = definePlugin({
  manifest: {
    name: "probe",
    version: "1.0.0",
    kernel: "^1",
    services: [],
    tables: [],
    contributes: ["node_grant.suggestions", "node_grant.targets", "node_grant.uses"],
  },
  requires: { grants: NodeGrants },
  setup({ deps, contribute }) {
    grants = deps.grants;
    contribute(NodeGrantUses, { referencesTo: async (_call, id, limit) => (usedBy.get(id) ?? []).slice(0, limit) });
    contribute(NodeGrantTargets, {
      async requireNode(_call, field, id) {
        if (id > 9n) throw invalid(field, `node ${id} does not exist`);
      },
    });
    contribute(NodeGrantSuggestions, {
      grantsOf: async (_call, { nodeClusterId }) => nodeClusterId === 5n ? suggested : [],
    });
  },
});

export let edgehelm: TestKernel;

/** Opens the kernel before the tests of a file, and closes it after them. */
export function useKernel(): void {
  beforeAll(async () => {
    edgehelm = await testKernel({ plugins: [plugin, probe] });
  });
  afterAll(() => edgehelm[Symbol.asyncDispose]());
}

export const byPassword = {
  name: "rack 1",
  method: "user",
  username: "deploy",
  password: " s3cret of the rack ",
  su: true,
};

export async function create(request: object): Promise<bigint> {
  return (await edgehelm.call(admin, rpc.createNodeGrant, request)).nodeGrantId;
}

export async function login(id: bigint) {
  return await grants.login(edgehelm.kernel.systemCall("test"), id);
}
