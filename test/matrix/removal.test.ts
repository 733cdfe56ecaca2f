import { definePlugin } from "edgehelm";
import Database from "libsql";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testKernel } from "edgehelm/testing";
import { expect, onTestFinished, test } from "vitest";
import { LoginAddresses } from "../../plugins/login/contract.ts";
import { NSDomainService } from "../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { NSRouteService } from "../../plugins/ns_route/proto/service_ns_route_pb.ts";
import { ServerService } from "../../plugins/server/proto/service_server_pb.ts";
import { type UserRemoval, UserRemovals } from "../../plugins/user/contract.ts";
import { UserService } from "../../plugins/user/proto/service_user_pb.ts";
import { TEST_DATABASE } from "../harness/database.ts";
import { fixtures } from "./fixtures.ts";
import { firstParty } from "./plugins.ts";
import { hosts, openWorld, type World } from "./world.ts";

/** The jobs that delete the objects of deleted users in the background. */
const JOBS = [
  "user.remove_deleted",
  "ns_domain.publish",
  "ns_domain.follow",
  "ns_domain.index_ns_domains",
  "file_chunk.remove_dropped",
  "http_access_log.remove_of_users",
];
/** The rows that are retained: paid bills, with what they charged, invoices, and what admins were notified of. */
const RETAINED = { messages: 20, userBills: 3, userBillCharges: 3, userBillCounts: 3, userInvoices: 3 };
/** Tables with a userId whose rows outlive the user: accounts of admins, the audit log, and traffic statistics. */
const NOT_DELETED = ["acmeProviderAccounts", "logs", "serverDailyStats", "serverFiveMinuteStats"];
/** Tables with one row for each user at most, which the first batch deletes. */
const SINGLE = ["logins"];
/**
 * Tables of the kernel, of objects that users do not own, of serials, which never decrease, and of search index segments,
 * which merging deletes.
 */
const NOT_OWNED_BY_USERS =
  /^(kernel_|sqlite_|plans$|nodeClusters$|nsClusters$|nodeRegions$|orderMethods$|trafficPackage(Period|Price)?s$|nsDomainOwnerChanges$|nsFeedHistories$|nsRecordZones$|.*migration|.*[sS]earch_(data|idx)$)/;

let removals: readonly UserRemoval[] = [];
let addresses: LoginAddresses;
/** Collects the removals that all plugins contribute. */
const probe = definePlugin({
  manifest: { name: "probe", version: "1.0.0", kernel: "^1", services: [], tables: [] },
  requires: { addresses: LoginAddresses },
  setup({ contributions, deps }) {
    removals = contributions(UserRemovals);
    ({ addresses } = deps);
  },
});

interface Column {
  readonly name: string;
}

/** Counts the rows that are not deleted in each table that users own rows of, and lists the tables with a userId. */
function inspect(directory: string): { live: Record<string, number>; withUserId: readonly string[] } {
  const database = new Database(join(directory, "edgehelm.db"), { readonly: true });
  const all = <Row>(query: string) => database.prepare(query).all() as Row[];
  const live: Record<string, number> = {};
  const withUserId: string[] = [];
  for (const { name } of all<Column>("select name from sqlite_schema where type = 'table' order by name")) {
    if (NOT_OWNED_BY_USERS.test(name)) continue;
    const columns = all<Column>(`select name from pragma_table_info('${name}')`).map((column) => column.name);
    if (columns.includes("userId")) withUserId.push(name);
    const isLive = columns.includes("state") ? "state = 1" : columns.includes("n") ? "n <> 0" : "true";
    live[name] = all<{ count: number }>(`select count(*) as count from "${name}" where ${isLive}`)[0]!.count;
  }
  database.close();
  return { live, withUserId };
}

async function createObjects(world: World, username: "ada" | "bob", count: number): Promise<void> {
  for (const fixture of fixtures.filter(({ owned }) => owned)) {
    for (let at = 0; at < count; at++) {
      const marker = `${username}${fixture.plugin.replaceAll("_", "")}${"abc"[at]}`;
      await fixture.create(world, world[username], marker);
    }
  }
  await claimNames(world, username);
  const owner = { role: "user", subjectId: world[username].id } as const;
  for (let at = 0; at < count; at++) {
    const call = world.edgehelm.kernel.systemCall("test");
    await call.transact((inner) => addresses.signedIn(inner, owner, `192.0.2.${at + 1}`));
  }
  // Only admins can create routes of users.
  const rangesJSON = new TextEncoder().encode('[{"type": "cidr", "params": {"cidr": "192.0.2.0/24"}}]');
  for (let at = 0; at < count; at++) {
    const request = { userId: world[username].id, name: `${username} ${at}`, rangesJSON };
    await world.edgehelm.call(world.admin, NSRouteService.method.createNSRoute, request);
  }
}

/** Gives names to a site of bob, and domains, which ada then claims. */
async function claimNames({ edgehelm, admin, ada, bob }: World, username: "ada" | "bob"): Promise<void> {
  const { createNSDomains } = NSDomainService.method;
  const domains = { nsClusterId: 1n, names: ["one.asked.test", "two.asked.test", "three.asked.test"] };
  if (username === "bob") await edgehelm.call(admin, createNSDomains, { ...domains, userId: bob.id });
  else await edgehelm.call(ada, createNSDomains, domains);
  const names = ["one.held.test", "two.held.test", "three.held.test"].map((name) => ({ name }));
  const serverNamesJSON = new TextEncoder().encode(JSON.stringify(names));
  const { createServer, updateServerNames } = ServerService.method;
  const server = { type: "httpProxy", nodeClusterId: 1n };
  if (username === "bob") {
    await edgehelm.call(admin, createServer, { ...server, userId: bob.id, serverNamesJSON });
    return;
  }
  const { serverId } = await edgehelm.call(admin, createServer, { ...server, userId: ada.id });
  await expect(edgehelm.call(ada, updateServerNames, { serverId, serverNamesJSON }))
    .rejects.toMatchObject({ reason: "server.name_unproved" });
}

test(
  "the objects of a deleted user are deleted, also if the removal is interrupted after the first batch of each kind",
  async ({ skip }) => {
    skip(TEST_DATABASE !== "file");
    const directory = await mkdtemp(join(tmpdir(), "edgehelm-test-"));
    onTestFinished(() => rm(directory, { recursive: true }));
    const reopen = async (world: World) => {
      await world.edgehelm.stop();
      const plugins = [...firstParty, probe];
      return { ...world, edgehelm: await testKernel({ plugins, directory, clock: world.clock, hosts }) };
    };

    let world = await openWorld({ directory, plugins: [probe] });
    await createObjects(world, "bob", 1);
    for (const job of JOBS) await world.edgehelm.kernel.runJob(job);
    world = await reopen(world);
    const { live: before, withUserId } = inspect(directory);

    await createObjects(world, "ada", 3);
    await world.edgehelm.call(world.admin, UserService.method.deleteUser, { userId: world.ada.id });
    const call = () => world.edgehelm.kernel.systemCall("test");
    for (const removal of removals) {
      expect(await call().transact((inner) => removal.removeSome(inner, world.ada.id, 1))).toBeLessThanOrEqual(1);
    }
    world = await reopen(world);
    const { live: interrupted } = inspect(directory);
    const untouched = withUserId.filter((name) => interrupted[name]! <= before[name]!);
    expect(untouched, "a fixture must create rows of these tables, so that their deletion is tested").toEqual(
      [...NOT_DELETED, ...SINGLE].sort(),
    );

    for (const job of JOBS) await world.edgehelm.kernel.runJob(job);
    await world.edgehelm.stop();
    const changes = Object.entries(inspect(directory).live).map(([name, count]) =>
      [name, count - before[name]!] as const
    );
    expect(Object.fromEntries(changes.filter(([, change]) => change !== 0))).toEqual({ users: -1, ...RETAINED });
  },
);
