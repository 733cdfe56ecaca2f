import { definePlugin, invalid } from "edgehelm";
import { as, stub, TestClock, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll } from "vitest";
import apiAccessToken from "../../../plugins/api_access_token/plugin.ts";
import { APIAccessTokenService } from "../../../plugins/api_access_token/proto/service_api_access_token_pb.ts";
import { NodeAddressSources, NodeConfigParts, NodeDeletions, Nodes } from "../../../plugins/node/contract.ts";
import plugin from "../../../plugins/node/plugin.ts";
import { NodeService } from "../../../plugins/node/proto/service_node_pb.ts";
import nodeBase from "../../../plugins/node_base/plugin.ts";
import nodeCluster from "../../../plugins/node_cluster/plugin.ts";
import { NodeClusterService } from "../../../plugins/node_cluster/proto/service_node_cluster_pb.ts";
import nodeGrant from "../../../plugins/node_grant/plugin.ts";
import { NodeGrantService } from "../../../plugins/node_grant/proto/service_node_grant_pb.ts";
import { NodeRegions } from "../../../plugins/node_region/contract.ts";

export const rpc = NodeService.method;
export const cluster = NodeClusterService.method;
export const admin = as.admin();
export const clock = new TestClock(1_800_000_000_000);
export const deleted: bigint[] = [];
export const addresses = new Map<bigint, { id: bigint; ip: string }[]>();
export let nodes: Nodes;

const probe = definePlugin({
  manifest: {
    name: "probe",
    version: "1.0.0",
    kernel: "^1",
    services: [],
    tables: [],
    contributes: ["node.addresses", "node.config_parts", "node.deletions"],
  },
  requires: { nodes: Nodes },
  setup({ deps, contribute }) {
    nodes = deps.nodes;
    contribute(NodeDeletions, { deleted: async (_call, id) => void deleted.push(id) });
    contribute(NodeAddressSources, {
      ofNodes: async (_call, ids) => new Map(ids.map((id) => [id, addresses.get(id) ?? []])),
      nodesWith: async (_call, text) =>
        [...addresses].filter(([, list]) => list.some(({ ip }) => ip.includes(text))).map(([id]) => id),
    });
    contribute(NodeConfigParts, {
      name: "neighbours",
      compose: async (_call, { id, clusterIds }) => `[${id},${clusterIds.length}]`,
    });
  },
});

/** Regions with ids up to 100 exist. */
const regions = stub(NodeRegions, {
  summaries: async (_call, ids) => new Map(ids.map((id) => [id, { id, name: `region ${id}`, isOn: true }])),
  nested: async (_call, ids) => new Map(ids.map((id) => [id, { id, name: `region ${id}`, isOn: true }])),
  async requireRegion(_call, field, id) {
    if (id > 100n) throw invalid(field, `region ${id} does not exist`);
  },
});

export let edgehelm: TestKernel;
beforeAll(async () => {
  const plugins = [plugin, nodeBase, nodeCluster, nodeGrant, apiAccessToken, probe];
  edgehelm = await testKernel({ plugins, stubs: [regions], clock });
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

export function bytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

// deno-lint-ignore no-explicit-any
export function json(value: Uint8Array): any {
  return JSON.parse(new TextDecoder().decode(value));
}

export async function newCluster(name = "main"): Promise<bigint> {
  return (await edgehelm.call(admin, cluster.createNodeCluster, { name })).nodeClusterId;
}

export async function newGrant(): Promise<bigint> {
  const request = { name: "rack", method: "user", username: "deploy", password: "secret" };
  return (await edgehelm.call(admin, NodeGrantService.method.createNodeGrant, request)).nodeGrantId;
}

export async function newNode(nodeClusterId: bigint, name = "node", fields: object = {}): Promise<bigint> {
  return (await edgehelm.call(admin, rpc.createNode, { name, nodeClusterId, ...fields })).nodeId;
}

export async function find(nodeId: bigint) {
  return (await edgehelm.call(admin, rpc.findEnabledNode, { nodeId })).node;
}

/** Exchanges the uniqueId and the secret of a node for an access token. */
export async function login(uniqueId: string, secret: string, type = "node"): Promise<string> {
  const request = { type, accessKeyId: uniqueId, accessKey: secret };
  return (await edgehelm.call(as.anonymous(), APIAccessTokenService.method.getAPIAccessToken, request)).token;
}

/** Calls an operation with a token and returns the envelope. */
export async function callWith(token: string, operation: string, body: object = {}): Promise<{ code: number }> {
  const headers = { "x-cloud-access-token": token };
  const url = `http://edgehelm.test/NodeService/${operation}`;
  return await (await edgehelm.fetch(new Request(url, { method: "POST", body: JSON.stringify(body), headers }))).json();
}

export async function report(nodeId: bigint, status: object): Promise<void> {
  await edgehelm.call(as.node(nodeId), rpc.updateNodeStatus, { statusJSON: bytes(status) });
}

export async function config(nodeId: bigint, version = 0n) {
  return await edgehelm.call(as.node(nodeId), rpc.findCurrentNodeConfig, { version });
}
