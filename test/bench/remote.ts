import { type Client, createClient } from "@libsql/client/web";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { as, type TestKernel, testKernel } from "edgehelm/testing";
import { openRemoteEngine, type RemoteEngine } from "../../core/storage/remote/engine.ts";
import nsCluster from "../../plugins/ns_cluster/plugin.ts";
import { NSClusterService } from "../../plugins/ns_cluster/service_ns_cluster_pb.ts";
import nsDomain from "../../plugins/ns_domain/plugin.ts";
import { NSDomainService } from "../../plugins/ns_domain/service_ns_domain_pb.ts";
import nsDomainGroup from "../../plugins/ns_domain_group/plugin.ts";
import { NSDomainGroupService } from "../../plugins/ns_domain_group/service_ns_domain_group_pb.ts";
import { Sqld } from "../servers/sqld.ts";
import { median, rounded } from "./statistics.ts";

const IN_FLIGHT = [1, 16, 128];
const GROUPS = 100;
const TRIPS_OF = 50;
const ada = as.user(7n);
const admin = as.admin();

/** The same thing done by an operation, and by the client alone. */
interface Pair {
  readonly ours: () => Promise<unknown>;
  readonly raw: () => Promise<unknown>;
}

/**
 * Operations on a libSQL server, in process, against @libsql/client doing the same statements: calls a second at some
 * numbers in flight, as ratios; and round trips of each operation.
 */
export async function benchRemote(rounds: number, milliseconds: number): Promise<Record<string, number>> {
  const directory = await mkdtemp(join(tmpdir(), "edgehelm-bench-"));
  await using sqld = await Sqld.start(join(directory, "sqld"));
  const engine = await openRemoteEngine({ url: sqld.url });
  const hosts = { ns_domain: { txt: () => Promise.resolve([]), ns: () => Promise.resolve([]) } };
  const plugins = [nsDomainGroup, nsCluster, nsDomain];
  const edgehelm = await testKernel({ plugins, engine, hosts, directory });
  try {
    const pairs = await groupPairs(edgehelm, createClient({ url: sqld.url, intMode: "bigint", concurrency: 128 }));
    return {
      ...await ratios(pairs, rounds, milliseconds),
      ...await roundTrips(edgehelm, engine),
      rounds,
    };
  } finally {
    await edgehelm.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Finding, listing and creating domain groups: one statement each, and the audit record of a create. */
async function groupPairs(edgehelm: TestKernel, client: Client): Promise<Readonly<Record<string, Pair>>> {
  const { createNSDomainGroup } = NSDomainGroupService.method;
  for (let made = 0; made < GROUPS; made++) await edgehelm.call(ada, createNSDomainGroup, { name: `group ${made}` });
  const tokens = { ada: (await edgehelm.token(ada))!, other: (await edgehelm.token(as.user(8n)))! };
  // the bytes of the answer and no more: what a client makes of them is not ours
  const post = async (method: string, body: string, token: string) => {
    const url = `http://edgehelm.test/NSDomainGroupService/${method}`;
    const headers = { "x-cloud-access-token": token };
    const response = await edgehelm.fetch(new Request(url, { method: "POST", headers, body }));
    if (!(await response.text()).startsWith('{"code":200')) throw new Error(`${method} failed`);
  };
  let turn = 0;
  const id = () => BigInt(1 + turn++ % GROUPS);
  const insert = { sql: `insert into nsDomainGroups(userId, name) values (?, ?) returning id`, args: [8n, "raw"] };
  const audit = {
    sql: `insert into kernel_audit(createdAt, requestId, role, callerId, operation) values (?, ?, ?, ?, ?)`,
    args: [1n, "r".repeat(36), "user", 8n, "/NSDomainGroupService/createNSDomainGroup"],
  };
  return {
    find: {
      ours: () => post("findNSDomainGroup", `{"nsDomainGroupId":${id()}}`, tokens.ada),
      raw: () => client.execute({ sql: "select * from nsDomainGroups where id = ? and state = 1", args: [id()] }),
    },
    list: {
      ours: () => post("findAllNSDomainGroups", "{}", tokens.ada),
      raw: () =>
        client.execute({
          sql: "select * from nsDomainGroups where userId = ? and state = 1 order by id desc",
          args: [7n],
        }),
    },
    create: {
      // another user's, so that lists stay as long as they are
      ours: () => post("createNSDomainGroup", '{"name":"ours"}', tokens.other),
      async raw() {
        const transaction = await client.transaction("write");
        try {
          await transaction.execute(insert);
          await transaction.execute(audit);
          await transaction.commit();
        } finally {
          transaction.close();
        }
      },
    },
  };
}

async function ratios(
  pairs: Readonly<Record<string, Pair>>,
  rounds: number,
  milliseconds: number,
): Promise<Record<string, number>> {
  const figures: Record<string, number> = {};
  for (const [name, { ours, raw }] of Object.entries(pairs)) {
    for (const inFlight of IN_FLIGHT) {
      const rates: { ours: number[]; raw: number[] } = { ours: [], raw: [] };
      for (let round = -1; round < rounds; round++) {
        const measured = {
          ours: await callsPerSecond(ours, inFlight, milliseconds),
          raw: await callsPerSecond(raw, inFlight, milliseconds),
        };
        // The first round warms up.
        if (round < 0) continue;
        rates.ours.push(measured.ours);
        rates.raw.push(measured.raw);
      }
      figures[`${name}_${inFlight}_vs_raw`] = rounded(median(rates.ours) / median(rates.raw));
      figures[`${name}_${inFlight}_per_s`] = rounded(median(rates.ours), 0);
    }
  }
  return figures;
}

async function callsPerSecond(call: () => Promise<unknown>, inFlight: number, milliseconds: number): Promise<number> {
  const started = performance.now();
  let calls = 0;
  async function caller(): Promise<void> {
    while (performance.now() - started < milliseconds) {
      await call();
      calls++;
    }
  }
  await Promise.all(Array.from({ length: inFlight }, caller));
  return calls / (performance.now() - started) * 1000;
}

/** Requests to the server for one operation; what checks tokens once a second is counted in. */
async function roundTrips(edgehelm: TestKernel, engine: RemoteEngine): Promise<Record<string, number>> {
  const { createNSDomainGroup, findNSDomainGroup, updateNSDomainGroup } = NSDomainGroupService.method;
  const { createNSDomain, findNSDomain, listNSDomains } = NSDomainService.method;
  const cluster = { name: "bench", hosts: ["ns1.bench.test"] };
  const { nsClusterId } = await edgehelm.call(admin, NSClusterService.method.createNSCluster, cluster);
  let domains = 0;
  const createDomain = () =>
    edgehelm.call(admin, createNSDomain, { nsClusterId, name: `d${domains++}.bench.test`, userId: 0n });
  const { nsDomainId } = await createDomain();
  const operations: Readonly<Record<string, () => Promise<unknown>>> = {
    find_group: () => edgehelm.call(ada, findNSDomainGroup, { nsDomainGroupId: 1n }),
    create_group: () => edgehelm.call(as.user(8n), createNSDomainGroup, { name: "trip" }),
    update_group: () => edgehelm.call(ada, updateNSDomainGroup, { nsDomainGroupId: 1n, name: "trip", isOn: true }),
    find_domain: () => edgehelm.call(admin, findNSDomain, { nsDomainId }),
    list_domains: () => edgehelm.call(admin, listNSDomains, {}),
    create_domain: createDomain,
  };
  const figures: Record<string, number> = {};
  for (const [name, call] of Object.entries(operations)) {
    await call();
    const before = engine.roundTrips;
    for (let made = 0; made < TRIPS_OF; made++) await call();
    figures[`trips_${name}`] = rounded((engine.roundTrips - before) / TRIPS_OF);
  }
  return figures;
}
