import { definePlugin } from "edgehelm";
import Database from "libsql";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testKernel } from "edgehelm/testing";
import { expect, onTestFinished, test } from "vitest";
import { NSRouteService } from "../../plugins/ns_route/proto/service_ns_route_pb.ts";
import { type UserRemoval, UserRemovals } from "../../plugins/user/contract.ts";
import { UserService } from "../../plugins/user/proto/service_user_pb.ts";
import { TEST_DATABASE } from "../harness/database.ts";
import { fixtures } from "./fixtures.ts";
import { firstParty } from "./plugins.ts";
import { openWorld, type World } from "./world.ts";

/** Background work by which what hangs on a user, and on what was theirs, goes. */
const JOBS = [
  "user.remove_deleted",
  "ns_domain.follow",
  "ns_domain.index_names",
  "file_chunk.remove_dropped",
  "http_access_log.remove_of_users",
];
/** What stays for the books: bills that were paid. */
const KEPT = { userBills: 3, userBillCounts: 3 };
/** Tables that name users and outlive them: accounts of admins, the audit log, and the traffic of the installation. */
const NOT_REMOVED = ["acmeProviderAccounts", "logs", "serverDailyStats", "serverFiveMinuteStats"];
/** Tables of the kernel, of what users have but do not own, and the pages of search indexes, which go by merging. */
const NOT_OF_USERS = /^(kernel_|sqlite_|plans$|nodeClusters$|nsClusters$|.*migration|.*Search_(data|idx)$)/;

let removals: readonly UserRemoval[] = [];
/** Gets at what all plugins remove. */
const neighbour = definePlugin({
  manifest: { name: "neighbour", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  setup: ({ contributions }) => void (removals = contributions(UserRemovals)),
});

interface Column {
  readonly name: string;
}

/** How many rows of each table that users have things in are alive, and which of the tables have a user in each row. */
function look(directory: string): { live: Record<string, number>; ofUsers: readonly string[] } {
  const database = new Database(join(directory, "edgehelm.db"), { readonly: true });
  const all = <Row>(query: string) => database.prepare(query).all() as Row[];
  const live: Record<string, number> = {};
  const ofUsers: string[] = [];
  for (const { name } of all<Column>("select name from sqlite_schema where type = 'table' order by name")) {
    if (NOT_OF_USERS.test(name)) continue;
    const columns = all<Column>(`select name from pragma_table_info('${name}')`).map((column) => column.name);
    if (columns.includes("userId")) ofUsers.push(name);
    const alive = columns.includes("state") ? "state = 1" : columns.includes("n") ? "n <> 0" : "true";
    live[name] = all<{ count: number }>(`select count(*) as count from "${name}" where ${alive}`)[0]!.count;
  }
  database.close();
  return { live, ofUsers };
}

async function makeOfEach(world: World, who: "ada" | "bob", times: number): Promise<void> {
  for (const fixture of fixtures.filter(({ owned }) => owned)) {
    for (let at = 0; at < times; at++) {
      const marker = `${who}${fixture.plugin.replaceAll("_", "")}${"abc"[at]}`;
      await fixture.make(world, world[who], marker);
    }
  }
  // admins make routes for users, who cannot themselves
  const rangesJSON = new TextEncoder().encode('[{"type": "cidr", "params": {"cidr": "192.0.2.0/24"}}]');
  for (let at = 0; at < times; at++) {
    const request = { userId: world[who].id, name: `${who} ${at}`, rangesJSON };
    await world.edgehelm.call(world.admin, NSRouteService.method.createNSRoute, request);
  }
}

test("what hangs on a deleted user goes, also when the removal is killed after the first piece of each kind", {
  timeout: 120_000,
}, async ({ skip }) => {
  skip(TEST_DATABASE !== "file");
  const directory = await mkdtemp(join(tmpdir(), "edgehelm-test-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const reopened = async (world: World) => {
    await world.edgehelm.stop();
    const plugins = [...firstParty, neighbour];
    return { ...world, edgehelm: await testKernel({ plugins, directory, clock: world.clock }) };
  };

  let world = await openWorld({ directory, plugins: [neighbour] });
  await makeOfEach(world, "bob", 1);
  for (const job of JOBS) await world.edgehelm.kernel.runJob(job);
  world = await reopened(world);
  const { live: before, ofUsers } = look(directory);

  await makeOfEach(world, "ada", 3);
  await world.edgehelm.call(world.admin, UserService.method.deleteUser, { userId: world.ada.id });
  const call = () => world.edgehelm.kernel.systemCall("test");
  for (const removal of removals) {
    expect(await call().transact((inner) => removal.removeSome(inner, world.ada.id, 1))).toBeLessThanOrEqual(1);
  }
  world = await reopened(world);
  const { live: half } = look(directory);
  const untouched = ofUsers.filter((name) => half[name]! <= before[name]!);
  expect(untouched, "a fixture must make some of it, so that it is seen to go").toEqual(NOT_REMOVED);

  for (const job of JOBS) await world.edgehelm.kernel.runJob(job);
  await world.edgehelm.stop();
  const left = Object.entries(look(directory).live).map(([name, count]) => [name, count - before[name]!] as const);
  expect(Object.fromEntries(left.filter(([, more]) => more !== 0))).toEqual({ users: -1, ...KEPT });
});
