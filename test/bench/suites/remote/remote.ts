import { type Client, createClient } from "@libsql/client/web";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { as, type TestCaller, type TestKernel, testKernel } from "edgehelm/testing";
import { systemClock } from "../../core/clock.ts";
import { LocalReplica } from "../../core/host/replica/local_replica.ts";
import { createLogger, type Logger } from "../../core/log.ts";
import { openRemoteEngine, type RemoteEngine } from "../../core/storage/remote/engine.ts";
import nsCluster from "../../plugins/ns_cluster/plugin.ts";
import { NSClusterService } from "../../plugins/ns_cluster/service_ns_cluster_pb.ts";
import nsDomain from "../../plugins/ns_domain/plugin.ts";
import { NSDomainService } from "../../plugins/ns_domain/service_ns_domain_pb.ts";
import nsDomainGroup from "../../plugins/ns_domain_group/plugin.ts";
import { NSDomainGroupService } from "../../plugins/ns_domain_group/service_ns_domain_group_pb.ts";
import user from "../../plugins/user/plugin.ts";
import { UserService } from "../../plugins/user/service_user_pb.ts";
import { Sqld } from "../servers/sqld.ts";
import { type Recorded, recorded, renamed, replay } from "./remote_statements.ts";
import { median, quantile, rounded } from "./statistics.ts";

const IN_FLIGHT = [1, 16, 128];
/** Where the ratios to the client are judged. */
const JUDGED = 16;
const SLICES = 5;
const ROWS = 100;
const TRIPS_OF = 20;
/** Stands in recorded statements where each call needs a name of its own. */
const NAME = "recorded";
const OPERATIONS = ["find", "list", "create"] as const;
type Operation = typeof OPERATIONS[number];

type Post = (path: string, request: unknown, token?: string) => Promise<void>;

const REPLICA = { token: undefined, greatestAge: 1000 };

/** An operation, and the client alone doing the same statements. */
interface Pair {
  readonly ours: () => Promise<unknown>;
  /** By an instance that has a replica. */
  readonly nearby?: () => Promise<unknown>;
  readonly client: () => Promise<unknown>;
}

/**
 * Finding, listing and creating on a libSQL server, in process, against @libsql/client doing the same statements: of
 * domain groups, which are one row, and of domains, which are shown with cluster, owner and groups. The figures without
 * a kind are those of the worse of the two.
 */
export async function benchRemote(rounds: number, milliseconds: number): Promise<Record<string, number>> {
  const directory = await mkdtemp(join(tmpdir(), "edgehelm-bench-"));
  await using sqld = await Sqld.start(join(directory, "sqld"));
  const engine = await openRemoteEngine({ url: sqld.url });
  const hosts = { ns_domain: { txt: () => Promise.resolve([]), ns: () => Promise.resolve([]) } };
  const plugins = [nsDomainGroup, nsCluster, nsDomain, user];
  const edgehelm = await testKernel({ plugins, engine, hosts, directory });
  const { log, used } = untilUsed();
  const replica = new LocalReplica({ directory: join(directory, "replica"), url: sqld.url, log, ...REPLICA });
  const beside = await openRemoteEngine({ url: sqld.url, replica });
  const nearby = await testKernel({ plugins, engine: beside, hosts, directory });
  try {
    const client = createClient({ url: sqld.url, intMode: "bigint", concurrency: 128 });
    const kinds = await pairs(edgehelm, nearby, engine, client);
    await used;
    const figures: Record<string, number> = {};
    for (const [kind, pairsOf] of Object.entries(kinds)) {
      for (const operation of OPERATIONS) {
        const pair = pairsOf[operation];
        figures[`${kind}_${operation}_round_trips`] = await roundTrips(engine, pair.ours);
        Object.assign(figures, await speeds(`${kind}_${operation}`, pair, rounds, milliseconds));
        if (pair.nearby === undefined) continue;
        const name = `${kind}_${operation}_replica`;
        figures[`${name}_round_trips`] = await roundTrips(beside, pair.nearby);
        Object.assign(figures, await speeds(name, { ...pair, ours: pair.nearby }, rounds, milliseconds, [JUDGED]));
      }
    }
    return { ...worst(figures, Object.keys(kinds)), ...figures, rounds };
  } finally {
    await nearby.stop();
    await edgehelm.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

async function pairs(
  edgehelm: TestKernel,
  nearby: TestKernel,
  engine: RemoteEngine,
  client: Client,
): Promise<Readonly<Record<string, Readonly<Record<Operation, Pair>>>>> {
  const { createNSCluster } = NSClusterService.method;
  const admin = as.admin();
  const { nsClusterId } = await edgehelm.call(admin, createNSCluster, { name: "bench", hosts: ["ns1.bench.test"] });
  const [ada, other] = [await madeUser(edgehelm, "ada"), await madeUser(edgehelm, "other")];
  const groupIds: bigint[] = [];
  const domainIds: bigint[] = [];
  const { createNSDomainGroup } = NSDomainGroupService.method;
  const { createNSDomain } = NSDomainService.method;
  for (let made = 0; made < ROWS; made++) {
    const name = `row${made}`;
    const { nsDomainGroupId } = await edgehelm.call(ada, createNSDomainGroup, { name });
    groupIds.push(nsDomainGroupId);
    const domain = { name: `${name}.bench.test`, nsClusterId, nsDomainGroupIds: [groupIds[0]!] };
    domainIds.push((await edgehelm.call(ada, createNSDomain, domain)).nsDomainId);
  }
  const tokens = { ada: (await edgehelm.token(ada))!, other: (await edgehelm.token(other))! };
  // the bytes of the answer and no more: what a client makes of them is not ours
  const postTo = ({ fetch }: TestKernel): Post => async (path, request, token = tokens.ada) => {
    const url = `http://edgehelm.test/${path}`;
    const headers = { "x-cloud-access-token": token };
    const body = JSON.stringify(request);
    const response = await fetch(new Request(url, { method: "POST", headers, body }));
    if (!(await response.text()).startsWith('{"code":200')) throw new Error(`${path} failed`);
  };
  const [post, postNearby] = [postTo(edgehelm), postTo(nearby)];
  const same = async (request: (post: Post, turn: number) => Promise<unknown>, different = 1): Promise<Pair> => {
    const statements: Recorded[] = [];
    for (let turn = 0; turn < different; turn++) statements.push(await recorded(engine, () => request(post, turn)));
    let [ours, near, theirs] = [0, 0, 0];
    return {
      ours: () => request(post, ours++ % different),
      nearby: () => request(postNearby, near++ % different),
      client: () => replay(client, statements[theirs++ % different]!),
    };
  };
  // another user's, so that lists stay as long as they are
  const creating = async (create: (name: string) => Promise<unknown>): Promise<Pair> => {
    const statements = await recorded(engine, () => create(NAME));
    let [ours, theirs] = [0, 0];
    return {
      ours: () => create(`ours${ours++}`),
      client: () => replay(client, renamed(statements, NAME, `client${theirs++}`)),
    };
  };
  return {
    group: {
      find: await same(
        (post, turn) => post("NSDomainGroupService/findNSDomainGroup", { nsDomainGroupId: Number(groupIds[turn]) }),
        ROWS,
      ),
      list: await same((post) => post("NSDomainGroupService/findAllNSDomainGroups", {})),
      create: await creating((name) => post("NSDomainGroupService/createNSDomainGroup", { name }, tokens.other)),
    },
    domain: {
      find: await same(
        (post, turn) => post("NSDomainService/findNSDomain", { nsDomainId: Number(domainIds[turn]) }),
        ROWS,
      ),
      list: await same((post) => post("NSDomainService/listNSDomains", { size: 20 })),
      create: await creating((name) =>
        post("NSDomainService/createNSDomain", { name: `${name}.test`, nsClusterId: Number(nsClusterId) }, tokens.other)
      ),
    },
  };
}

/** A log for a replica, and when it says that it is used. */
function untilUsed(): { readonly log: Logger; readonly used: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const write = (line: string) => line.includes('"reads are answered by the replica"') && resolve();
  return { log: createLogger({ level: "info", write, clock: systemClock }), used: promise };
}

async function madeUser(edgehelm: TestKernel, username: string): Promise<TestCaller> {
  const request = { username, password: `${username} walks in the rain`, fullname: username };
  return as.user((await edgehelm.call(as.admin(), UserService.method.createUser, request)).userId);
}

/** Requests to the server for one call, cache warm; the check of tokens, once a second, falls out as the exception. */
async function roundTrips(engine: RemoteEngine, call: () => Promise<unknown>): Promise<number> {
  const trips: number[] = [];
  for (let made = 0; made < TRIPS_OF; made++) {
    const before = engine.roundTrips;
    await call();
    trips.push(engine.roundTrips - before);
  }
  return median(trips);
}

/** In short slices by turns, since other work on the machine comes and goes: each is judged by its neighbour. */
async function speeds(
  name: string,
  { ours, client }: Pair,
  rounds: number,
  milliseconds: number,
  inFlights = IN_FLIGHT,
): Promise<Record<string, number>> {
  const figures: Record<string, number> = {};
  const slice = milliseconds / SLICES;
  for (const inFlight of inFlights) {
    const slices: { ours: Speed; client: Speed }[] = [];
    for (let index = -1; index < rounds * SLICES; index++) {
      const both = { ours: await speed(ours, inFlight, slice), client: await speed(client, inFlight, slice) };
      // the first warms up
      if (index >= 0) slices.push(both);
    }
    const middle = (figure: (one: typeof slices[number]) => number) => median(slices.map(figure));
    const p99 = (who: "ours" | "client") => rounded(quantile(slices.flatMap((one) => one[who].took), 0.99), 1);
    figures[`${name}_${inFlight}_vs_client`] = rounded(middle((one) => one.ours.perSecond / one.client.perSecond));
    figures[`${name}_${inFlight}_per_s`] = rounded(middle((one) => one.ours.perSecond), 0);
    figures[`${name}_${inFlight}_p99_ms`] = p99("ours");
    figures[`${name}_${inFlight}_client_p99_ms`] = p99("client");
    figures[`${name}_${inFlight}_cpu_us`] = rounded(middle((one) => one.ours.microseconds), 0);
    figures[`${name}_${inFlight}_client_cpu_us`] = rounded(middle((one) => one.client.microseconds), 0);
  }
  return figures;
}

interface Speed {
  readonly perSecond: number;
  /** Milliseconds of each call. */
  readonly took: readonly number[];
  /** Processor time of this process for a call; the server's is not in it. */
  readonly microseconds: number;
}

async function speed(call: () => Promise<unknown>, inFlight: number, milliseconds: number): Promise<Speed> {
  const started = performance.now();
  const used = process.cpuUsage();
  const took: number[] = [];
  async function caller(): Promise<void> {
    for (let now = performance.now(); now - started < milliseconds;) {
      await call();
      const then = performance.now();
      took.push(then - now);
      now = then;
    }
  }
  await Promise.all(Array.from({ length: inFlight }, caller));
  const { user, system } = process.cpuUsage(used);
  const perSecond = took.length / (performance.now() - started) * 1000;
  return { perSecond, took, microseconds: (user + system) / took.length };
}

function worst(figures: Readonly<Record<string, number>>, kinds: readonly string[]): Record<string, number> {
  const all: Record<string, number> = {};
  for (const operation of OPERATIONS) {
    const of = (figure: string) => kinds.map((kind) => figures[`${kind}_${operation}_${figure}`]!);
    all[`${operation}_vs_client`] = Math.min(...of(`${JUDGED}_vs_client`));
    all[`round_trips_${operation}`] = Math.max(...of("round_trips"));
  }
  return all;
}
