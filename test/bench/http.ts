import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { type Installation, startInstallation } from "./installation.ts";
import { type Load, runLoad } from "./load.ts";
import { ServerProcess } from "./server_process.ts";
import { median, rounded } from "./statistics.ts";

const BARE = fileURLToPath(new URL("./bare_server.ts", import.meta.url));
const CONNECTIONS = 32;
const DOMAINS = 10_000;

/** HTTP through the default kernel, against bare Hono handlers behind the same listener: server CPU for each call. */
export async function benchHttp(rounds: number, milliseconds: number): Promise<Record<string, number>> {
  const ours = await startInstallation();
  const { nsClusterId } = await ours.call<{ nsClusterId: number }>("/NSClusterService/createNSCluster", {
    name: "bench",
    hosts: ["ns1.bench.test"],
  });
  await fill(ours, nsClusterId);
  const bare = await ServerProcess.start(BARE, [join(ours.directory, "edgehelm.db")], {});
  try {
    const echo = {
      path: "/HelloWorldService/sayHello",
      body: () => '{"id":"7","name":"Ada"}',
      expected: "hello, Ada (7)",
    };
    const find = {
      path: "/NSDomainService/findNSDomain",
      body: (call: number) => `{"nsDomainId":${1 + call % DOMAINS}}`,
      expected: ".bench-domain.test",
    };
    const costs = { echoOurs: [], echoBare: [], findOurs: [], findBare: [] } as Record<string, number[]>;
    for (let round = -1; round < rounds; round++) {
      const measured = {
        echoBare: await cpuPerCall(bare, { ...echo, headers: ours.headers }, milliseconds),
        echoOurs: await cpuPerCall(ours.server, { ...echo, headers: ours.headers }, milliseconds),
        findBare: await cpuPerCall(bare, { ...find, headers: ours.headers }, milliseconds),
        findOurs: await cpuPerCall(ours.server, { ...find, headers: ours.headers }, milliseconds),
      };
      // The first round warms up.
      if (round >= 0) { for (const [name, cost] of Object.entries(measured)) costs[name]!.push(cost); }
    }
    const figure = (name: string) => median(costs[name]!);
    const rss = ours.server.residentMegabytes();
    return {
      json_echo_vs_hono: rounded(figure("echoBare") / figure("echoOurs")),
      find_by_id_vs_hono_read: rounded(figure("findBare") / figure("findOurs")),
      echo_cpu_us: rounded(figure("echoOurs")),
      echo_bare_cpu_us: rounded(figure("echoBare")),
      find_cpu_us: rounded(figure("findOurs")),
      find_bare_cpu_us: rounded(figure("findBare")),
      cold_start_ms: await coldStart(ours, rounds),
      rss_mb: rounded(rss, 0),
      rounds,
    };
  } finally {
    await bare.stop();
  }
}

async function fill(ours: Installation, nsClusterId: number): Promise<void> {
  for (let start = 0; start < DOMAINS; start += 500) {
    const names = Array.from({ length: 500 }, (_, index) => `d${start + index}.bench-domain.test`);
    await ours.call("/NSDomainService/createNSDomains", { nsClusterId, names });
  }
}

type Call = Pick<Load, "path" | "body" | "expected" | "headers">;

async function cpuPerCall(server: ServerProcess, call: Call, milliseconds: number): Promise<number> {
  const before = server.cpuMicroseconds();
  const { calls, wrong } = await runLoad({ port: server.port, connections: CONNECTIONS, milliseconds, ...call });
  if (wrong > 0) throw new Error(`${wrong} of ${calls} answers of ${call.path} were not as expected`);
  return (server.cpuMicroseconds() - before) / calls;
}

/** Start to listening, on data that is there. */
async function coldStart(ours: Installation, rounds: number): Promise<number> {
  const times: number[] = [];
  let current = ours;
  for (let round = 0; round < rounds; round++) {
    current = await current.restart();
    times.push(current.server.startMilliseconds);
  }
  await current.remove();
  return rounded(median(times), 0);
}
