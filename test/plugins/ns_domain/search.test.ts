import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { as, type TestKernel } from "edgehelm/testing";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { NSDomainService } from "../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { NSDomainGroupService } from "../../../plugins/ns_domain_group/proto/service_ns_domain_group_pb.ts";
import { openTestDatabase, TEST_DATABASE } from "../../harness/database.ts";
import { type LoggedStatement, plansOf, withStatementLog } from "../../harness/statement_log.ts";
import { domainKernel } from "./rig.ts";

const { countAllNSDomains, createNSDomains, deleteNSDomains, listNSDomains } = NSDomainService.method;
const admin = as.admin();
const TEST_SCOPE = { owner: "test", tables: undefined };

let directory: string;
let edgehelm: TestKernel;
/** The statements that the plugin ran since the array was last reset. */
let ran: LoggedStatement[] = [];
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "edgehelm-test-"));
  onTestFinished(async () => {
    await edgehelm[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });
});

async function open(): Promise<void> {
  const engine = withStatementLog(await openTestDatabase(directory), "ns_domain", (one) => ran.push(one));
  edgehelm = await domainKernel({ engine });
}

async function newGroup(userId: bigint): Promise<bigint> {
  const request = { name: "some" };
  return (await edgehelm.call(as.user(userId), NSDomainGroupService.method.createNSDomainGroup, request))
    .nsDomainGroupId;
}

const deleteDomains = (userId: bigint, names: string[]) => edgehelm.call(admin, deleteNSDomains, { userId, names });
const catchUp = () => edgehelm.kernel.runJob("ns_domain.index_ns_domains");

async function queryNumber(sql: string): Promise<number> {
  const { rows } = await edgehelm.engine.reader.run({ sql, scope: TEST_SCOPE }, []);
  return Number(rows[0]![0]);
}

const countIndexed = () => queryNumber("select count(*) from nsDomains_search_docsize");
const countPending = () => queryNumber("select count(*) from nsDomains_searchChanges");

test(
  "a keyword in a large scope finds domains that are indexed and those that are not yet",
  async () => {
    await open();
    const nsDomainGroupId = await newGroup(1n);
    const all: { name: string; nsClusterId: bigint; isInGroup: boolean }[] = [];
    const deleted = new Set<string>();
    for (let batch = 0; batch < 8; batch++) {
      const [nsClusterId, isInGroup] = [BigInt(1 + batch % 2), batch % 3 > 0];
      const names = Array.from({ length: 500 }, (_, at) => `${["shop", "blog"][at % 2]}-${batch}-${at}.test`);
      const nsDomainGroupIds = isInGroup ? [nsDomainGroupId] : [];
      await edgehelm.call(admin, createNSDomains, { names, userId: 1n, nsClusterId, nsDomainGroupIds });
      all.unshift(...names.map((name) => ({ name, nsClusterId, isInGroup })).reverse());
      if (batch === 6) await catchUp();
    }
    for (let batch = 0; batch < 8; batch++) {
      const names = [`shop-${batch}-10.test`, `blog-${batch}-77.test`];
      await deleteDomains(1n, names);
      for (const name of names) deleted.add(name);
    }
    for (let round = 0; round < 2; round++, await catchUp()) {
      for (const scope of [{}, { userId: 1n }, { nsClusterId: 2n }, { nsDomainGroupId }]) {
        const filter = { userId: 0n, nsClusterId: 0n, nsDomainGroupId: 0n, ...scope };
        const isSearched = (await edgehelm.call(admin, countAllNSDomains, filter)).count > 2000n;
        expect(isSearched).toBe(filter.nsClusterId === 0n);
        for (const keyword of ["shop", "-7-1", "blog-3-77", "g-6-4", "shop-blog", "te"]) {
          const expected = all.filter(({ name, nsClusterId, isInGroup }) =>
            !deleted.has(name) && name.includes(keyword) &&
            (filter.nsClusterId === 0n || nsClusterId === filter.nsClusterId) &&
            (filter.nsDomainGroupId === 0n || isInGroup)
          ).map(({ name }) => name);
          const { count } = await edgehelm.call(admin, countAllNSDomains, { ...filter, keyword });
          for (const offset of [0, 3, expected.length - 2]) {
            const page = { offset: BigInt(Math.max(0, offset)), size: 5n };
            const { nsDomains } = await edgehelm.call(admin, listNSDomains, { ...filter, keyword, ...page });
            const names = nsDomains.map(({ name }) => name);
            expect({ keyword, offset, count, names }).toEqual({
              keyword,
              offset,
              count: BigInt(expected.length),
              names: expected.slice(Number(page.offset), Number(page.offset) + 5),
            });
          }
        }
      }
    }
  },
);

test("a deleted domain is removed from the index, whether it was indexed before or not", async () => {
  await open();
  await edgehelm.call(admin, createNSDomains, { nsClusterId: 1n, names: ["first.test", "second.test"] });
  await catchUp();
  await edgehelm.call(admin, createNSDomains, { nsClusterId: 1n, names: ["third.test", "fourth.test"] });
  await deleteDomains(0n, ["first.test", "third.test"]);
  expect([await countIndexed(), await countPending()]).toEqual([2, 1]);
  await catchUp();
  expect([await countIndexed(), await countPending()]).toEqual([2, 0]);
});

test.runIf(TEST_DATABASE === "file")("a page is read through indexes, without scans and sorts", async () => {
  await open();
  const nsDomainGroupId = await newGroup(1n);
  for (let batch = 0; batch < 3; batch++) {
    const names = Array.from({ length: 1000 }, (_, at) => `shop-${batch}-${at}.test`);
    await edgehelm.call(admin, createNSDomains, {
      names,
      userId: 1n,
      nsClusterId: 1n,
      nsDomainGroupIds: [nsDomainGroupId],
    });
  }
  await catchUp();
  const scopes = [{}, { userId: 1n }, { nsClusterId: 1n }, { userId: 1n, nsClusterId: 1n }];
  for (const scope of [...scopes, ...scopes.map((scope) => ({ ...scope, nsDomainGroupId }))]) {
    for (const options of [{}, { offset: 1000n }, { keyword: "shop" }]) {
      ran = [];
      await edgehelm.call(admin, listNSDomains, { ...scope, ...options });
      const plans = await plansOf(edgehelm.engine, ran.filter(({ sql }) => !sql.includes("nsDomains_buckets")));
      const slowSteps = plans.filter((step) => /^SCAN nsDomains\b|^SCAN link\b|TEMP B-TREE/.test(step));
      expect({ scope, options, slowSteps }).toEqual({ scope, options, slowSteps: [] });
      expect(plans.filter((step) => step.startsWith("SCAN found VIRTUAL TABLE")).length).toBe(
        "keyword" in options ? 1 : 0,
      );
    }
  }
});
