import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Call, definePlugin } from "edgehelm";
import { as, stub, testKernel } from "edgehelm/testing";
import { expect, onTestFinished, test } from "vitest";
import { NSClusters } from "../../../plugins/ns_cluster/contract.ts";
import { migrations } from "../../../plugins/ns_domain/migrations/mod.ts";
import plugin from "../../../plugins/ns_domain/plugin.ts";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import type { Tables } from "../../../plugins/ns_domain/store.ts";

const { countAllNSDomains, createNSDomains, deleteNSDomain, listNSDomains } = NSDomainService.method;
const admin = as.admin();
const DOMAINS = 3000;

test("domains that are older than the background index are counted, listed and searched together with new ones", async () => {
  const directory = await mkdtemp(join(tmpdir(), "edgehelm-test-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const cluster = { id: 1n, name: "one", isOn: true, hosts: ["ns1.edge.test"] };
  const stubs = [stub(NSClusters, {
    summaries: async () => new Map([[1n, cluster]]),
    requireCluster: async () => cluster,
  })];
  const { "0001_create_ns_domains": first, "0002_create_ns_domain_buckets": second } = migrations;
  const before = definePlugin({
    manifest: {
      ...plugin.manifest,
      services: [],
      tables: plugin.manifest.tables.filter((name) => !/Search[A-Z]/.test(name)),
    },
    migrations: { "0001_create_ns_domains": first, "0002_create_ns_domain_buckets": second },
    setup({ db, every }) {
      const run = (call: Call) =>
        call.transact(async (inner) => {
          const rows = Array.from({ length: DOMAINS }, (_, index) => ({
            name: `old-${index}.test`,
            nsClusterId: 1n,
            userId: BigInt(index % 2),
            status: "verified" as const,
            createdAt: 1n,
            version: BigInt(index + 1),
          }));
          await db<Tables>()(inner).insertInto("nsDomains").values(rows).execute();
          await db<Tables>()(inner).updateTable("nsDomainVersions").set({ version: BigInt(DOMAINS) }).execute();
        });
      every({ name: "fill", everySeconds: 86_400, run });
    },
  });
  const old = await testKernel({ plugins: [before], stubs, directory });
  await old.kernel.runJob("ns_domain.fill");
  await old.stop();

  const edgehelm = await testKernel({ plugins: [plugin], stubs, directory });
  const names = ["new-1.test", "old-new.test"];
  for (const round of ["before", "after"]) {
    const count = async (request: object) => Number((await edgehelm.call(admin, countAllNSDomains, request)).count);
    const list = async (request: object) =>
      (await edgehelm.call(admin, listNSDomains, request)).nsDomains.map(({ name }) => name);
    if (round === "before") {
      await edgehelm.call(admin, createNSDomains, { nsClusterId: 1n, names });
      await edgehelm.call(admin, deleteNSDomain, { nsDomainId: 2n });
    } else await edgehelm.kernel.runJob("ns_domain.index_names");
    expect(await count({})).toBe(DOMAINS + 1);
    expect(await count({ userId: 1n })).toBe(DOMAINS / 2 - 1);
    expect(await count({ keyword: "old-" })).toBe(DOMAINS);
    expect(await list({ keyword: "old-", size: 2n })).toEqual(["old-new.test", "old-2999.test"]);
    expect(await list({ offset: 2500n, size: 1n })).toEqual(["old-501.test"]);
    expect(await list({ keyword: "old-1.t" })).toEqual([]);
  }
  await edgehelm.stop();
});
