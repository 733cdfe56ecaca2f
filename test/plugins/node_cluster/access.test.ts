import { definePlugin, type Plugin } from "edgehelm";
import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import nodes from "../../../plugins/node/plugin.ts";
import nodeBase from "../../../plugins/node_base/plugin.ts";
import { NodeService } from "../../../plugins/node/proto/service_node_pb.ts";
import plugin from "../../../plugins/node_cluster/plugin.ts";
import { NodeClusterService } from "../../../plugins/node_cluster/proto/service_node_cluster_pb.ts";
import { ClusterAudiences, PlanHolders } from "../../../plugins/plan/contract.ts";
import servers from "../../../plugins/server/plugin.ts";
import { ServerService } from "../../../plugins/server/proto/service_server_pb.ts";
import users from "../../../plugins/user/plugin.ts";
import { UserService } from "../../../plugins/user/proto/service_user_pb.ts";

const { createNodeCluster, updateNodeCluster, findEnabledNodeCluster } = NodeClusterService.method;
const { createServer, updateServerBasic } = ServerService.method;
const admin = as.admin();
const [ada, bob] = [1n, 2n];
/** The ids of the plans that users have. */
const plansOf = new Map<bigint, bigint[]>();

const shop: Plugin = definePlugin({
  manifest: {
    name: "shop",
    version: "1.0.0",
    kernel: "^1",
    services: [],
    tables: [],
    contributes: ["plan.cluster_audiences", "plan.holders"],
  },
  setup({ contribute }) {
    contribute(ClusterAudiences, {
      list: "planIds",
      noun: "plan",
      objects: { summaries: async (_call, ids) => new Map(ids.filter((id) => id < 10n).map((id) => [id, true])) },
    });
    contribute(PlanHolders, { usablePlanIds: async (_call, userId) => plansOf.get(userId) ?? [] });
  },
});

let edgehelm: TestKernel;
let open: bigint;
let restricted: bigint;
beforeAll(async () => {
  edgehelm = await testKernel({ plugins: [plugin, nodes, nodeBase, servers, users, shop] });
  for (const username of ["ada", "bob"]) {
    await edgehelm.call(admin, UserService.method.createUser, { username, password: "a long enough password" });
  }
  restricted = await createCluster("restricted", { userIds: [1], planIds: [3] });
  open = await createCluster("open");
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

function bytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

async function createCluster(name: string, openTo?: object): Promise<bigint> {
  const request = { name, ...(openTo && { openToJSON: bytes(openTo) }) };
  return (await edgehelm.call(admin, createNodeCluster, request)).nodeClusterId;
}

/** Creates a site of a user, as consoles do. */
async function createSite(userId: bigint, nodeClusterId: bigint, more: object = {}): Promise<bigint> {
  const request = { userId, type: "httpProxy", name: "site", nodeClusterId, ...more };
  return (await edgehelm.call(admin, createServer, request)).serverId;
}

async function openTo(nodeClusterId: bigint) {
  const { openToJSON } = (await edgehelm.call(admin, findEnabledNodeCluster, { nodeClusterId })).nodeCluster!;
  return openToJSON === undefined ? undefined : JSON.parse(new TextDecoder().decode(openToJSON));
}

describe("sites are placed only in clusters that are open to their owner", () => {
  test("by user", async () => {
    await createSite(ada, restricted);
    await expect(createSite(bob, restricted)).rejects.toMatchObject({
      code: 400,
      message: `nodeClusterId: node cluster ${restricted} is not open to user 2`,
    });
    await createSite(bob, open);
  });

  test("by plan", async () => {
    plansOf.set(2n, [3n]);
    await createSite(bob, restricted);
    plansOf.set(2n, [4n]);
    await expect(createSite(bob, restricted)).rejects.toMatchObject({ code: 400 });
    plansOf.delete(2n);
  });

  test("if the owner is a user: the installation may use all", async () => {
    await createSite(0n, restricted);
  });

  test("when they are moved", async () => {
    const serverId = await createSite(bob, open);
    const move = { serverId, name: "site", isOn: true, nodeClusterId: restricted };
    await expect(edgehelm.call(admin, updateServerBasic, move)).rejects.toMatchObject({ code: 400 });
    plansOf.set(2n, [3n]);
    await edgehelm.call(admin, updateServerBasic, move);
    plansOf.delete(2n);
    await edgehelm.call(admin, updateServerBasic, { ...move, name: "stays in its cluster" });
  });
});

test("a user finds open clusters and their nodes, creates sites in them, and has no other default", async () => {
  const create = { name: "node", nodeClusterId: restricted };
  await edgehelm.call(admin, NodeService.method.createNode, create);
  const { findAllEnabledNodesWithNodeClusterId } = NodeService.method;
  const { checkServerNameDuplicationInNodeCluster } = ServerService.method;
  const serverNamesJSON = bytes([{ name: "taken.example" }]);
  await createSite(ada, restricted, { serverNamesJSON });
  const clusterId = { nodeClusterId: restricted };
  for (const [userId, count] of [[ada, 1], [bob, 0]] as const) {
    const caller = as.user(userId);
    const { nodeCluster } = await edgehelm.call(caller, findEnabledNodeCluster, clusterId);
    expect(nodeCluster === undefined ? [] : [nodeCluster]).toHaveLength(count);
    expect((await edgehelm.call(caller, findAllEnabledNodesWithNodeClusterId, clusterId)).nodes).toHaveLength(count);
    const names = { ...clusterId, serverNames: ["taken.example"] };
    const { duplicatedServerNames } = await edgehelm.call(caller, checkServerNameDuplicationInNodeCluster, names);
    expect(duplicatedServerNames).toHaveLength(count);
  }
  const request = { type: "httpProxy", name: "site", ...clusterId };
  await edgehelm.call(as.user(ada), createServer, request);
  await expect(edgehelm.call(as.user(bob), createServer, request)).rejects.toMatchObject({
    code: 400,
    message: `nodeClusterId: node cluster ${restricted} does not exist`,
  });
  const account = { username: "carl", password: "a long enough password", nodeClusterId: restricted };
  const { userId } = await edgehelm.call(admin, UserService.method.createUser, account);
  await expect(edgehelm.call(as.user(userId), createServer, { ...request, nodeClusterId: 0n }))
    .rejects.toMatchObject({ code: 400, message: expect.stringMatching(/^nodeClusterId: /) });
});

describe("the restriction", () => {
  test("is kept by clients that do not know it, replaced, and lifted", async () => {
    const update = { nodeClusterId: restricted, name: "restricted" };
    await edgehelm.call(admin, updateNodeCluster, update);
    expect(await openTo(restricted)).toEqual({ userIds: [1], planIds: [3] });
    await edgehelm.call(admin, updateNodeCluster, { ...update, openToJSON: bytes({ userIds: [2] }) });
    await expect(createSite(ada, restricted)).rejects.toMatchObject({ code: 400 });
    await edgehelm.call(admin, updateNodeCluster, { ...update, openToJSON: bytes({}) });
    await createSite(ada, restricted);
    await createSite(bob, restricted);
    expect(await openTo(open)).toBeUndefined();
  });

  test.each([
    [{ userIds: [0] }, "openToJSON.userIds[0]: must be a positive id"],
    [{ userIds: [1, 99] }, "openToJSON.userIds: user 99 does not exist"],
    [{ planIds: [99] }, "openToJSON.planIds: plan 99 does not exist"],
  ])("%j is refused", async (value, text) => {
    await expect(edgehelm.call(admin, createNodeCluster, { name: "x", openToJSON: bytes(value) }))
      .rejects.toMatchObject({ code: 400, message: expect.stringContaining(text) });
  });
});
