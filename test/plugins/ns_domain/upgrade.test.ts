import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Call, definePlugin, type Plugin } from "edgehelm";
import { as, stub, type TestKernel, testKernel } from "edgehelm/testing";
import { type Kysely, sql } from "kysely";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { NSClusters } from "../../../plugins/ns_cluster/contract.ts";
import { migrations } from "../../../plugins/ns_domain/migrations/mod.ts";
import plugin from "../../../plugins/ns_domain/plugin.ts";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { domainFeed, domainList, type Tables } from "../../../plugins/ns_domain/store_tables.ts";
import { NSNodes } from "../../../plugins/ns_node/contract.ts";
import { UserStates } from "../../../plugins/user/contract.ts";

const { countAllNSDomains, createNSDomains, deleteNSDomain, listNSDomains, listNSDomainsAfterVersion } =
  NSDomainService.method;
const admin = as.admin();
const DOMAINS = 3000;
const CLUSTERS = [1n, 2n, 3n];
/** The cluster whose nodes fetch changes; 0 means all. */
let followedCluster = 0n;

const cluster = (id: bigint) => ({ id, name: `cluster ${id}`, isOn: true, hosts: [] });
const stubs = [
  stub(NSClusters, {
    summaries: async () => new Map(CLUSTERS.map((id) => [id, cluster(id)])),
    nested: async () => new Map(CLUSTERS.map((id) => [id, cluster(id)])),
    requireCluster: async (_call, _field, id) => cluster(id),
  }),
  stub(NSNodes, { followedCluster: async () => followedCluster }),
];

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "edgehelm-test-"));
  onTestFinished(() => rm(directory, { recursive: true }));
});

/** Fills a database with the migrations of an earlier version. */
async function fillBefore(lastMigration: string, fill: (db: Kysely<Tables>) => Promise<void>): Promise<void> {
  const earlier = Object.entries(migrations).filter(([name]) => name <= lastMigration);
  const before: Plugin = definePlugin({
    manifest: { ...plugin.manifest, services: [] },
    migrations: Object.fromEntries(earlier),
    ...(lastMigration > "0009" && { lists: [domainList], feeds: [domainFeed] }),
    setup({ db, every }) {
      const run = (call: Call) => call.transact((inner) => fill(db<Tables>()(inner)));
      every({ name: "fill", everySeconds: 86_400, run });
    },
  });
  const old = await testKernel({ plugins: [before], directory });
  await old.kernel.runJob("ns_domain.fill");
  await old.stop();
}

function count(edgehelm: TestKernel, filter: object): Promise<number> {
  return edgehelm.call(admin, countAllNSDomains, filter).then((response) => Number(response.count));
}

async function list(edgehelm: TestKernel, request: object): Promise<string[]> {
  return (await edgehelm.call(admin, listNSDomains, request)).nsDomains.map(({ name }) => name);
}

test("domains that are older than the background index are counted, listed and searched together with new ones", async () => {
  await fillBefore("0002_create_ns_domain_buckets", async (db) => {
    const rows = Array.from({ length: DOMAINS }, (_, index) => ({
      name: `old-${index}.test`,
      nsClusterId: 1n,
      userId: BigInt(index % 2),
      status: "verified" as const,
      createdAt: 1n,
      version: BigInt(index + 1),
    }));
    await db.insertInto("nsDomains").values(rows).execute();
    await sql`update nsDomainVersions set version = ${DOMAINS} where rowid in (select rowid from nsDomainVersions limit 1)`
      .execute(db);
  });

  const edgehelm = await testKernel({ plugins: [plugin], stubs, directory });
  const names = ["new-1.test", "old-new.test"];
  for (const round of ["before", "after"]) {
    if (round === "before") {
      await edgehelm.call(admin, createNSDomains, { nsClusterId: 1n, names });
      await edgehelm.call(admin, deleteNSDomain, { nsDomainId: 2n });
    } else await edgehelm.kernel.runJob("ns_domain.index_ns_domains");
    expect(await count(edgehelm, {})).toBe(DOMAINS + 1);
    expect(await count(edgehelm, { userId: 1n })).toBe(DOMAINS / 2 - 1);
    expect(await count(edgehelm, { keyword: "old-" })).toBe(DOMAINS);
    expect(await list(edgehelm, { keyword: "old-", size: 2n })).toEqual(["old-new.test", "old-2999.test"]);
    expect(await list(edgehelm, { offset: 2500n, size: 1n })).toEqual(["old-501.test"]);
    expect(await list(edgehelm, { keyword: "old-1.t" })).toEqual([]);
  }
  await edgehelm.stop();
});

test("domains of the version before the declared list have the same lists, counts, versions and departures", async () => {
  const domain = (index: number) => ({
    name: `${["shop", "blog"][index % 2]}-${index}.test`,
    nsClusterId: CLUSTERS[index % 3]!,
    userId: BigInt(index % 5),
    status: (["verified", "none", "forbidden"] as const)[index % 7 % 3]!,
    groupIds: ["[]", "[]", "[7]", "[7,8]"][index % 4]!,
    createdAt: 1n,
    version: BigInt(index + 1),
  });
  await fillBefore("0007_index_deleted_too", async (db) => {
    for (let from = 0; from < DOMAINS; from += 1000) {
      const rows = Array.from({ length: 1000 }, (_, index) => domain(from + index));
      await db.insertInto("nsDomains").values(rows).execute();
    }
    await sql`insert into nsDomainGroupLinks select value, domain.id
      from (select id, groupIds from nsDomains limit ${100_000}) as domain, json_each(domain.groupIds)`.execute(
      db,
    );
    await sql`update nsDomains set state = 0, version = version + 10000 
      where id in (select id from (select id from nsDomains limit ${100_000}) where id % 11 = 0)`.execute(db);
    await sql`update nsDomains set nsClusterId = 3, version = version + 20000 where id in (1, 4)`.execute(db);
    await sql`update nsDomainVersions set version = 30000 where rowid in (select rowid from nsDomainVersions limit 1)`
      .execute(db);
  });

  await using edgehelm = await testKernel({ plugins: [plugin], stubs, directory });
  const all = Array.from({ length: DOMAINS }, (_, index) => ({ id: index + 1, ...domain(index) }))
    .filter(({ id }) => id % 11 !== 0).map((row) => [1, 4].includes(row.id) ? { ...row, nsClusterId: 3n } : row);
  for (const userId of [0n, 1n, 4n]) {
    for (const nsClusterId of [0n, 1n, 3n]) {
      for (const nsDomainGroupId of [0n, 7n, 8n, 9n]) {
        for (const keyword of ["", "shop"]) {
          const filter = { userId, nsClusterId, nsDomainGroupId, keyword };
          const matching = all.filter((row) =>
            (userId === 0n || row.userId === userId) && (nsClusterId === 0n || row.nsClusterId === nsClusterId) &&
            (nsDomainGroupId === 0n || JSON.parse(row.groupIds).includes(Number(nsDomainGroupId))) &&
            row.name.includes(keyword)
          );
          const found = { filter, count: await count(edgehelm, filter), names: await list(edgehelm, filter) };
          const newest = matching.slice(-20).reverse().map(({ name }) => name);
          expect(found).toEqual({ filter, count: matching.length, names: newest });
          const verified = matching.filter(({ status }) => status === "verified").length;
          expect(await count(edgehelm, { ...filter, status: "verified" })).toBe(verified);
        }
      }
    }
  }
  followedCluster = 1n;
  const changes = await edgehelm.call(admin, listNSDomainsAfterVersion, { version: 19_999n, size: 2n });
  expect(changes.nsDomains.map(({ id, isDeleted, version }) => [id, isDeleted, version]))
    .toEqual([[1n, true, 20_001n], [4n, true, 20_004n]]);
  followedCluster = 3n;
  const { nsDomainIds } = await edgehelm.call(admin, createNSDomains, { nsClusterId: 3n, names: ["new.test"] });
  const { nsDomains } = await edgehelm.call(admin, listNSDomainsAfterVersion, { version: 20_001n, size: 10_000n });
  const own = nsDomains.filter(({ id }) => [1n, 4n, ...nsDomainIds].includes(id));
  expect(own.map(({ id }) => id)).toEqual([4n, ...nsDomainIds]);
});

test("domains that nodes should not have received in an earlier release are published again as deleted", async () => {
  await fillBefore("0011_forbid_names", async (db) => {
    const common = { nsClusterId: 1n, createdAt: 1n };
    const kinds = [
      { userId: 0n, status: "verified", isOn: 1n },
      { userId: 0n, status: "none", isOn: 1n },
      { userId: 7n, status: "verified", isOn: 0n },
      { userId: 7n, status: "verified", isOn: 1n },
      { userId: 8n, status: "verified", isOn: 1n },
      { userId: 8n, status: "forbidden", isOn: 1n },
    ] as const;
    await db.insertInto("nsDomains").values(kinds.map((kind, index) => ({
      ...common,
      ...kind,
      name: `${index}.test`,
      version: BigInt(index + 1),
    }))).execute();
    await sql`update nsDomains_versions set version = 6 where rowid in (select rowid from nsDomains_versions limit 1)`
      .execute(db);
  });

  const users = stub(UserStates, { allowed: async (_call, ids) => new Set(ids.filter((id) => id === 7n)) });
  await using edgehelm = await testKernel({ plugins: [plugin], stubs: [...stubs, users], directory });
  followedCluster = 1n;
  const changedAfter = async (version: bigint) => {
    const { nsDomains } = await edgehelm.call(admin, listNSDomainsAfterVersion, { version });
    return nsDomains.map(({ id, isOn, isDeleted }) => [id, isOn, isDeleted]);
  };
  expect(await changedAfter(6n)).toEqual([[2n, false, true], [3n, false, false], [6n, false, true]]);
  await edgehelm.kernel.runJob("ns_domain.publish");
  expect(await changedAfter(9n)).toEqual([[5n, false, true]]);
});
