import { definePlugin, type Plugin } from "edgehelm";
import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import plugin from "../../../plugins/ns_cluster/plugin.ts";
import { NSClusterService } from "../../../plugins/ns_cluster/proto/service_ns_cluster_pb.ts";
import domains from "../../../plugins/ns_domain/plugin.ts";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { ClusterAudiences, PlanHolders } from "../../../plugins/plan/contract.ts";

const rpc = NSClusterService.method;
const [admin, ada, bob] = [as.admin(), as.user(1n), as.user(2n)];
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
    contribute(ClusterAudiences, { list: "userIds", noun: "user", objects: { summaries: found } });
    contribute(ClusterAudiences, { list: "planIds", noun: "plan", objects: { summaries: found } });
    contribute(PlanHolders, { usablePlanIds: async (_call, userId) => plansOf.get(userId) ?? [] });
  },
});

const found = async (_call: unknown, ids: readonly bigint[]) =>
  new Map(ids.filter((id) => id < 10n).map((id) => [id, { id } as never]));

let edgehelm: TestKernel;
let open: bigint;
let restricted: bigint;
beforeAll(async () => {
  edgehelm = await testKernel({
    plugins: [plugin, domains, shop],
    hosts: {
      ns_domain: { txt: () => Promise.resolve([]), ns: () => Promise.resolve([]), ds: () => Promise.resolve([]) },
    },
  });
  restricted = await createCluster("restricted", { userIds: [1], planIds: [3] });
  open = await createCluster("open");
});
afterAll(() => edgehelm[Symbol.asyncDispose]());

function bytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}

async function createCluster(name: string, openTo?: object): Promise<bigint> {
  const request = { name, hosts: [`ns.${name}.test`], ...(openTo && { openToJSON: bytes(openTo) }) };
  return (await edgehelm.call(admin, rpc.createNSCluster, request)).nsClusterId;
}

let names = 0;
function createDomain(caller: typeof ada, nsClusterId: bigint) {
  return edgehelm.call(caller, NSDomainService.method.createNSDomain, { name: `d${++names}.test`, nsClusterId });
}

async function openTo(nsClusterId: bigint) {
  const { openToJSON } = (await edgehelm.call(admin, rpc.findNSCluster, { nsClusterId })).nsCluster!;
  return openToJSON === undefined ? undefined : JSON.parse(new TextDecoder().decode(openToJSON));
}

describe("finding 10: a user chooses only clusters that are open to it", () => {
  test("by user", async () => {
    await createDomain(ada, restricted);
    await expect(createDomain(bob, restricted)).rejects.toMatchObject({
      code: 400,
      message: `nsClusterId: DNS cluster ${restricted} does not exist`,
    });
    await createDomain(bob, open);
  });

  test("by plan", async () => {
    plansOf.set(2n, [3n]);
    await createDomain(bob, restricted);
    plansOf.set(2n, [4n]);
    await expect(createDomain(bob, restricted)).rejects.toMatchObject({ code: 400 });
    plansOf.delete(2n);
  });

  test("the default cluster and its hosts are those that are open", async () => {
    const { nsDomainId } = await createDomain(bob, 0n);
    const { nsDomain } = await edgehelm.call(bob, NSDomainService.method.findNSDomain, { nsDomainId });
    expect(nsDomain?.nsCluster?.id).toBe(open);
    const hosts = async (caller: typeof ada, userId = 0n) =>
      (await edgehelm.call(caller, rpc.findAvailableNSHostsForUser, { userId })).hosts;
    expect(await hosts(bob)).toEqual(["ns.open.test"]);
    expect(await hosts(ada)).toEqual(["ns.restricted.test"]);
    expect(await hosts(admin, 2n)).toEqual(["ns.open.test"]);
  });

  test("an admin puts domains of any user into it", async () => {
    const request = { name: "any.test", nsClusterId: restricted, userId: 2n };
    const { nsDomainId } = await edgehelm.call(admin, NSDomainService.method.createNSDomain, request);
    await edgehelm.call(bob, NSDomainService.method.updateNSDomain, { nsDomainId, isOn: false });
  });
});

describe("the restriction", () => {
  test("is kept by clients that do not know it, replaced, and lifted", async () => {
    const update = { nsClusterId: restricted, name: "restricted", isOn: true, hosts: ["ns.restricted.test"] };
    await edgehelm.call(admin, rpc.updateNSCluster, update);
    expect(await openTo(restricted)).toEqual({ userIds: [1], planIds: [3] });
    await edgehelm.call(admin, rpc.updateNSCluster, { ...update, openToJSON: bytes({ userIds: [2] }) });
    await expect(createDomain(ada, restricted)).rejects.toMatchObject({ code: 400 });
    await edgehelm.call(admin, rpc.updateNSCluster, { ...update, openToJSON: bytes({}) });
    await createDomain(ada, restricted);
    await createDomain(bob, restricted);
    expect(await openTo(open)).toBeUndefined();
  });

  test.each([
    [{ userIds: [0] }, "openToJSON.userIds[0]: must be a positive id"],
    [{ userIds: [1, 99] }, "openToJSON.userIds: user 99 does not exist"],
    [{ planIds: [99] }, "openToJSON.planIds: plan 99 does not exist"],
  ])("%j is refused", async (value, text) => {
    await expect(edgehelm.call(admin, rpc.createNSCluster, { name: "x", openToJSON: bytes(value) }))
      .rejects.toMatchObject({ code: 400, message: expect.stringContaining(text) });
  });

  test("needs the plugins of what it names", async () => {
    await using alone = await testKernel({ plugins: [plugin] });
    const request = { name: "x", openToJSON: bytes({ planIds: [1] }) };
    await expect(alone.call(admin, rpc.createNSCluster, request)).rejects.toThrow("plans are not enabled");
  });
});
