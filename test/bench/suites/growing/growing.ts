import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Sqld } from "../servers/sqld.ts";
import { GrpcConnection } from "./grpc_load.ts";
import { type Installation, startInstallation } from "./installation.ts";
import { runLoad } from "./load.ts";
import { cpuMicrosecondsOf } from "./server_process.ts";
import { median, rounded } from "./statistics.ts";

const INSTANCES = 4;
const CONNECTIONS = 16;
const KEY = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

/** Instances that serve one database, and what else costs processor time for them. */
interface Setup {
  readonly instances: readonly Installation[];
  readonly sqld?: Sqld;
}

/** A call over HTTP and over gRPC. */
interface Target {
  readonly method: string;
  readonly json: string;
  readonly message: Uint8Array;
}

/** Calls that were answered, and those of them with an error. */
interface Answered {
  readonly calls: number;
  readonly failed: number;
}

interface Measured {
  readonly perSecond: number;
  readonly failed: number;
  /** Microseconds of a processor for each call: of all instances, and of the database server. */
  readonly cpu: number;
  readonly sqldCpu: number;
}

/**
 * Reads and writes a second through HTTP and gRPC: of one process on a file, and of one and four instances on a libSQL
 * server, with the processor time that each call takes in them. All share this machine with the client.
 */
export async function benchGrowing(rounds: number, milliseconds: number): Promise<Record<string, number>> {
  const directory = await mkdtemp(join(tmpdir(), "edgehelm-growing-"));
  const file = { instances: [await startInstallation()] };
  await using sqld = await Sqld.start(join(directory, "sqld"));
  const environment = { EDGEHELM_DATABASE_URL: sqld.url, EDGEHELM_KEY: KEY };
  const instances: Installation[] = [];
  for (let made = 0; made < INSTANCES; made++) instances.push(await startInstallation({ environment }));
  const setups: Readonly<Record<string, Setup>> = {
    file,
    sqld_1: { instances: instances.slice(0, 1), sqld },
    [`sqld_${INSTANCES}`]: { instances, sqld },
  };
  try {
    const figures: Record<string, number> = {};
    for (const [name, setup] of Object.entries(setups)) {
      for (const [what, target] of Object.entries(await targets(setup.instances[0]!))) {
        for (const [wire, load] of Object.entries({ http: httpLoad, grpc: grpcLoad })) {
          const measured: Measured[] = [];
          // the first round warms up
          for (let round = -1; round < rounds; round++) {
            const one = await measure(setup, (instance) => load(instance, target, milliseconds));
            if (round >= 0) measured.push(one);
          }
          const figure = (of: (one: Measured) => number) => rounded(median(measured.map(of)), 0);
          figures[`${name}_${wire}_${what}_per_s`] = figure(({ perSecond }) => perSecond);
          const failed = measured.reduce((sum, one) => sum + one.failed, 0);
          if (failed > 0) figures[`${name}_${wire}_${what}_failed`] = failed;
          figures[`${name}_${wire}_${what}_cpu_us`] = figure(({ cpu }) => cpu);
          if (setup.sqld !== undefined) figures[`${name}_${wire}_${what}_sqld_cpu_us`] = figure((one) => one.sqldCpu);
        }
      }
    }
    return { ...figures, rounds };
  } finally {
    for (const one of [...file.instances, ...instances]) await one.remove();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Finding a domain with its cluster, and creating a domain group. */
async function targets(installation: Installation): Promise<Readonly<Record<string, Target>>> {
  const name = `cluster ${crypto.randomUUID()}`;
  const cluster = { name, hosts: ["ns1.bench.test"] };
  const { nsClusterId } = await installation.call<{ nsClusterId: number }>(
    "/NSClusterService/createNSCluster",
    cluster,
  );
  const domain = { nsClusterId, name: "grows.test" };
  const { nsDomainId } = await installation.call<{ nsDomainId: number }>("/NSDomainService/createNSDomain", domain);
  if (nsDomainId > 127) throw new Error("the domain's id does not fit into one byte");
  return {
    reads: {
      method: "NSDomainService/findNSDomain",
      json: JSON.stringify({ nsDomainId }),
      message: Uint8Array.of(8, nsDomainId),
    },
    writes: {
      method: "NSDomainGroupService/createNSDomainGroup",
      json: '{"name":"grows"}',
      message: Uint8Array.of(10, 5, ...new TextEncoder().encode("grows")),
    },
  };
}

async function measure(
  { instances, sqld }: Setup,
  load: (instance: Installation) => Promise<Answered>,
): Promise<Measured> {
  const used = () => instances.reduce((sum, { server }) => sum + server.cpuMicroseconds(), 0);
  const usedBySqld = () => sqld === undefined ? 0 : cpuMicrosecondsOf(sqld.pid);
  const [started, before, beforeBySqld] = [performance.now(), used(), usedBySqld()];
  const answered = await Promise.all(instances.map(load));
  const sum = (of: (one: Answered) => number) => answered.reduce((before, one) => before + of(one), 0);
  const calls = sum((one) => one.calls);
  return {
    failed: sum((one) => one.failed),
    perSecond: calls / (performance.now() - started) * 1000,
    cpu: (used() - before) / calls,
    sqldCpu: (usedBySqld() - beforeBySqld) / calls,
  };
}

async function httpLoad({ server, headers }: Installation, target: Target, milliseconds: number): Promise<Answered> {
  const { calls, wrong } = await runLoad({
    port: server.port,
    connections: CONNECTIONS,
    milliseconds,
    path: `/${target.method}`,
    headers,
    body: () => target.json,
    expected: '"code":200',
  });
  // a machine with too much to do cannot ask within a second whether tokens still hold, and then refuses
  return { calls, failed: wrong };
}

async function grpcLoad({ server, headers }: Installation, target: Target, milliseconds: number): Promise<Answered> {
  const token = headers["x-cloud-access-token"]!;
  const until = performance.now() + milliseconds;
  let calls = 0;
  const done = Promise.withResolvers<void>();
  let open = CONNECTIONS;
  const lanes = Array.from({ length: CONNECTIONS }, async () => {
    const connection: GrpcConnection = await GrpcConnection.open(
      server.ports[1]!,
      `/pb.${target.method}`,
      token,
      target.message,
      () => {
        calls++;
        if (performance.now() < until) return void connection.call(1);
        connection.close();
        if (--open === 0) done.resolve();
      },
    );
    connection.call(1);
  });
  await Promise.all(lanes);
  await done.promise;
  return { calls, failed: 0 };
}
