import { as } from "edgehelm/testing";
import { expect, test } from "vitest";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { NSDomainGroupService } from "../../../plugins/ns_domain_group/proto/service_ns_domain_group_pb.ts";
import { domainKernel } from "./rig.ts";

const service = NSDomainService.method;
const admin = as.admin();

/** Returns a random number generator that yields the same numbers in every run. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(state / 2 ** 32 * below);
  };
}

interface Expected {
  readonly id: bigint;
  readonly name: string;
  userId: bigint;
  nsClusterId: bigint;
  status: string;
  groups: bigint[];
}

test("counts and lists agree with a plain filter after random changes", async () => {
  await using edgehelm = await domainKernel();
  const random = generator(42);
  const groupsOf = new Map<bigint, bigint>();
  for (const userId of [1n, 2n, 3n]) {
    const created = await edgehelm.call(as.user(userId), NSDomainGroupService.method.createNSDomainGroup, {
      name: "g",
    });
    groupsOf.set(userId, created.nsDomainGroupId);
  }
  const pick = <Item>(items: readonly Item[]) => items[random(items.length)]!;
  const clusters = [1n, 2n, 3n];
  const rows = new Map<bigint, Expected>();
  const groupsFor = (userId: bigint) => random(2) === 0 && userId !== 0n ? [groupsOf.get(userId)!] : [];

  for (let round = 0; round < 30; round++) {
    const [userId, nsClusterId] = [pick([0n, 1n, 2n, 3n]), pick(clusters)];
    // Most names are in the search index. The last ones are not, and some deletions are not applied to it.
    if (round < 25 && round % 4 === 0) await edgehelm.kernel.runJob("ns_domain.index_ns_domains");
    const names = Array.from({ length: 100 }, (_, index) => `${pick(["shop", "blog", "x"])}-${round}-${index}.test`);
    const groups = groupsFor(userId);
    const request = { names, userId, nsClusterId, nsDomainGroupIds: groups };
    const { nsDomainIds } = await edgehelm.call(admin, service.createNSDomains, request);
    for (const [index, id] of nsDomainIds.entries()) {
      rows.set(id, { id, name: names[index]!, userId, nsClusterId, status: "verified", groups });
    }
    for (let change = 0; change < 20; change++) {
      const row = pick([...rows.values()]);
      const nsDomainId = row.id;
      if (change % 3 === 0) {
        await edgehelm.call(admin, service.deleteNSDomain, { nsDomainId });
        rows.delete(row.id);
      } else if (change % 3 === 1) {
        row.status = pick(["none", "verified", "rejected", "forbidden"]);
        await edgehelm.call(admin, service.updateNSDomainStatus, { nsDomainId, status: row.status });
      } else {
        [row.userId, row.nsClusterId] = [pick([0n, 1n, 2n, 3n]), pick(clusters)];
        row.groups = groupsFor(row.userId);
        const { userId, nsClusterId, groups: nsDomainGroupIds } = row;
        await edgehelm.call(admin, service.updateNSDomain, { nsDomainId, userId, nsClusterId, nsDomainGroupIds });
      }
    }
  }

  const newestFirst = [...rows.values()].sort((a, b) => Number(b.id - a.id));
  for (let query = 0; query < 120; query++) {
    const filter = {
      userId: pick([0n, 0n, 1n, 2n]),
      nsClusterId: pick([0n, 0n, 1n, 2n]),
      nsDomainGroupId: pick([0n, 0n, 0n, groupsOf.get(1n)!]),
      keyword: pick(["", "", "", "SHOP", "-7-", "sh", "no match", 'a"b', "%"]),
    };
    const status = pick(["", "", "verified", "forbidden"]);
    const matching = newestFirst.filter((row) =>
      (filter.userId === 0n || row.userId === filter.userId) &&
      (filter.nsClusterId === 0n || row.nsClusterId === filter.nsClusterId) &&
      (filter.nsDomainGroupId === 0n || row.groups.includes(filter.nsDomainGroupId)) &&
      row.name.includes(filter.keyword.toLowerCase())
    );
    const { count } = await edgehelm.call(admin, service.countAllNSDomains, { ...filter, status });
    expect(Number(count)).toBe(matching.filter((row) => status === "" || row.status === status).length);
    const offset = pick([0, 5, 501, 700, 1500, matching.length - 3, matching.length]);
    const page = { offset: BigInt(Math.max(0, offset)), size: 7n };
    const { nsDomains } = await edgehelm.call(admin, service.listNSDomains, { ...filter, ...page });
    expect(nsDomains.map(({ id }) => id), JSON.stringify([filter.keyword, Number(page.offset)]))
      .toEqual(matching.slice(Number(page.offset), Number(page.offset) + 7).map(({ id }) => id));
  }
});
