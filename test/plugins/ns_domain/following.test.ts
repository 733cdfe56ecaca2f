import { definePlugin } from "edgehelm";
import { as, stub } from "edgehelm/testing";
import { expect, test } from "vitest";
import { NSDomainFollowers } from "../../../plugins/ns_domain/contract.ts";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { NSNodes } from "../../../plugins/ns_node/contract.ts";
import { domainKernel } from "./rig.ts";

const service = NSDomainService.method;
const admin = as.admin();

test("a DNS node receives the domains of its cluster and those that left it", async () => {
  const nodes = stub(NSNodes, { followedCluster: async ({ caller }) => caller.role === "dns" ? caller.nodeId : 0n });
  await using edgehelm = await domainKernel({ stubs: [nodes] });
  const create = async (name: string, nsClusterId: bigint) =>
    (await edgehelm.call(admin, service.createNSDomain, { name, nsClusterId })).nsDomainId;
  const [moving, staying, other] = [await create("a.test", 1n), await create("b.test", 1n), await create("c.test", 2n)];
  const domainsAfter = async (node: bigint, version = 0n, size = 0n) =>
    (await edgehelm.call(as.dns(node), service.listNSDomainsAfterVersion, { version, size })).nsDomains;
  const initial = await domainsAfter(1n);
  expect(initial.map(({ id }) => id)).toEqual([moving, staying]);
  expect((await domainsAfter(2n)).map(({ id }) => id)).toEqual([other]);

  await edgehelm.call(admin, service.updateNSDomain, { nsDomainId: moving, nsClusterId: 2n, isOn: true });
  expect(await domainsAfter(1n, initial.at(-1)!.version)).toMatchObject([{ id: moving, isDeleted: true }]);
  expect(await domainsAfter(2n)).toMatchObject([{ id: other }, {
    id: moving,
    isDeleted: false,
    nsCluster: { id: 2n },
  }]);
  expect((await domainsAfter(1n, 0n, 1n)).map(({ id }) => id)).toEqual([staying]);

  await edgehelm.call(admin, service.updateNSDomain, { nsDomainId: moving, nsClusterId: 1n, isOn: true });
  expect(await domainsAfter(1n)).toMatchObject([{ id: staying }, { id: moving, isDeleted: false }]);
  expect(await domainsAfter(2n)).toMatchObject([{ id: other }, { id: moving, isDeleted: true }]);
  expect(await edgehelm.call(admin, service.listNSDomainsAfterVersion, {})).toMatchObject({
    nsDomains: [{ id: staying }, { id: other }, { id: moving, isDeleted: false }],
  });
});

test("followers are called in batches when a domain moves and when it is deleted", async () => {
  const calls: string[] = [];
  const follower = definePlugin({
    manifest: {
      name: "follower",
      version: "1.0.0",
      kernel: "^1",
      services: [],
      tables: [],
      contributes: ["ns_domain.followers"],
    },
    setup: ({ contribute }) =>
      contribute(NSDomainFollowers, {
        followSome: (_call, { nsClusterId, isDeleted }, after, limit) => {
          calls.push(`${nsClusterId} ${isDeleted} after ${after}`);
          expect(limit).toBeGreaterThan(0);
          return Promise.resolve(after === 0n && isDeleted ? 7n : undefined);
        },
      }),
  });
  await using edgehelm = await domainKernel({ plugins: [follower] });
  const { nsDomainId } = await edgehelm.call(admin, service.createNSDomain, { name: "a.test", nsClusterId: 1n });
  await edgehelm.kernel.runJob("ns_domain.follow");
  expect(calls).toEqual([]);
  await edgehelm.call(admin, service.updateNSDomain, { nsDomainId, nsClusterId: 2n, isOn: true });
  await edgehelm.kernel.runJob("ns_domain.follow");
  await edgehelm.call(admin, service.deleteNSDomain, { nsDomainId });
  await edgehelm.kernel.runJob("ns_domain.follow");
  await edgehelm.kernel.runJob("ns_domain.follow");
  expect(calls).toEqual(["2 false after 0", "2 true after 0", "2 true after 7"]);
});

test("followers are called again for a domain that changes while they run", async () => {
  const clusterIds: bigint[] = [];
  const moving = Promise.withResolvers<void>();
  const moved = Promise.withResolvers<void>();
  const follower = definePlugin({
    manifest: {
      name: "follower",
      version: "1.0.0",
      kernel: "^1",
      services: [],
      tables: [],
      contributes: ["ns_domain.followers"],
    },
    setup: ({ contribute }) =>
      contribute(NSDomainFollowers, {
        async followSome(_call, { nsClusterId }, after) {
          clusterIds.push(nsClusterId);
          moving.resolve();
          return await Promise.resolve(clusterIds.length === 1 && after === 0n ? 1n : undefined);
        },
      }),
  });
  await using edgehelm = await domainKernel({ plugins: [follower] });
  const { nsDomainId } = await edgehelm.call(admin, service.createNSDomain, { name: "a.test", nsClusterId: 1n });
  const move = (nsClusterId: bigint) =>
    edgehelm.call(admin, service.updateNSDomain, { nsDomainId, nsClusterId, isOn: true });
  await move(2n);
  const following = edgehelm.kernel.runJob("ns_domain.follow");
  void moving.promise.then(() => move(1n)).then(() => moved.resolve());
  await Promise.all([following, moved.promise]);
  await edgehelm.kernel.runJob("ns_domain.follow");
  expect(clusterIds.at(-1)).toBe(1n);
  expect(clusterIds.filter((cluster) => cluster === 1n).length).toBeGreaterThan(0);
  const before = clusterIds.length;
  await edgehelm.kernel.runJob("ns_domain.follow");
  expect(clusterIds.length).toBe(before);
});
