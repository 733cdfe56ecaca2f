import { fileURLToPath } from "node:url";
import { type Installation, startInstallation } from "./installation.ts";
import { runLoad } from "./load.ts";
import { median, rounded } from "./statistics.ts";

const SINGLE = fileURLToPath(new URL("./single_commit_server.ts", import.meta.url));
const WRITERS = 64;

/** Creates through the default kernel: with group commit, with a commit for each, and from a single writer. */
export async function benchStorage(rounds: number, milliseconds: number): Promise<Record<string, number>> {
  const group = await startInstallation();
  const single = await startInstallation(undefined, SINGLE);
  try {
    const rates = { group: [], single: [], alone: [] } as Record<string, number[]>;
    const servers = [await prepared(group, "group"), await prepared(single, "single")] as const;
    for (let round = -1; round < rounds; round++) {
      const measured = {
        group: await createsPerSecond(servers[0], WRITERS, milliseconds),
        single: await createsPerSecond(servers[1], WRITERS, milliseconds),
        alone: await createsPerSecond(servers[0], 1, milliseconds),
      };
      if (round >= 0) { for (const [name, rate] of Object.entries(measured)) rates[name]!.push(rate); }
    }
    const figure = (name: string) => median(rates[name]!);
    return {
      create_group_commit_vs_single: rounded(figure("group") / figure("alone")),
      create_group_commit_vs_commit_each: rounded(figure("group") / figure("single")),
      creates_per_s_64_writers: rounded(figure("group"), 0),
      creates_per_s_64_writers_commit_each: rounded(figure("single"), 0),
      creates_per_s_1_writer: rounded(figure("alone"), 0),
      rss_mb: rounded(group.server.residentMegabytes(), 0),
      rounds,
    };
  } finally {
    await group.remove();
    await single.remove();
  }
}

interface Target {
  readonly installation: Installation;
  readonly nsClusterId: number;
  readonly label: string;
}

async function prepared(installation: Installation, label: string): Promise<Target> {
  const { nsClusterId } = await installation.call<{ nsClusterId: number }>("/NSClusterService/createNSCluster", {
    name: label,
    hosts: ["ns1.bench.test"],
  });
  return { installation, nsClusterId, label };
}

let created = 0;

async function createsPerSecond(target: Target, connections: number, milliseconds: number): Promise<number> {
  const { installation, nsClusterId } = target;
  const { calls, seconds, wrong } = await runLoad({
    port: installation.server.port,
    connections,
    milliseconds,
    path: "/NSDomainService/createNSDomain",
    headers: installation.headers,
    body: () => `{"nsClusterId":${nsClusterId},"name":"d${created++}.bench.test"}`,
    expected: '"nsDomainId":',
  });
  if (wrong > 0) throw new Error(`${wrong} of ${calls} creates failed`);
  return calls / seconds;
}
