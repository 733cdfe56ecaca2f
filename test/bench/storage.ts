import { fileURLToPath } from "node:url";
import { type Installation, startInstallation } from "./installation.ts";
import { runLoad } from "./load.ts";
import { median, rounded } from "./statistics.ts";

const SINGLE = fileURLToPath(new URL("./single_commit_server.ts", import.meta.url));
const WRITERS = 64;

/**
 * Creates through the default kernel: with group commit, with a commit for each, and from a single writer. A domain group
 * is the plainest row there is, so that commits weigh most; a domain also keeps its version, counts and search index.
 */
export async function benchStorage(rounds: number, milliseconds: number): Promise<Record<string, number>> {
  const group = await startInstallation();
  const single = await startInstallation({ module: SINGLE });
  try {
    const rates = { group: [], single: [], alone: [], domainsGroup: [], domainsAlone: [] } as Record<string, number[]>;
    const servers = [await prepared(group, "group"), await prepared(single, "single")] as const;
    for (let round = -1; round < rounds; round++) {
      const measured = {
        group: await createsPerSecond(servers[0], PLAIN, WRITERS, milliseconds),
        single: await createsPerSecond(servers[1], PLAIN, WRITERS, milliseconds),
        alone: await createsPerSecond(servers[0], PLAIN, 1, milliseconds),
        domainsGroup: await createsPerSecond(servers[0], DOMAIN, WRITERS, milliseconds),
        domainsAlone: await createsPerSecond(servers[0], DOMAIN, 1, milliseconds),
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
      domain_group_commit_vs_single: rounded(figure("domainsGroup") / figure("domainsAlone")),
      domains_per_s_64_writers: rounded(figure("domainsGroup"), 0),
      domains_per_s_1_writer: rounded(figure("domainsAlone"), 0),
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

/** What is created. */
interface Kind {
  readonly path: string;
  readonly body: (target: Target) => string;
  readonly expected: string;
}

let created = 0;
const PLAIN: Kind = {
  path: "/NSDomainGroupService/createNSDomainGroup",
  body: () => `{"name":"group ${created++}"}`,
  expected: '"nsDomainGroupId":',
};
const DOMAIN: Kind = {
  path: "/NSDomainService/createNSDomain",
  body: ({ nsClusterId }) => `{"nsClusterId":${nsClusterId},"name":"d${created++}.bench.test"}`,
  expected: '"nsDomainId":',
};

async function createsPerSecond(
  target: Target,
  kind: Kind,
  connections: number,
  milliseconds: number,
): Promise<number> {
  const { installation: { server, headers } } = target;
  const { path, expected } = kind;
  const load = { port: server.port, headers, connections, milliseconds, path, expected, body: () => kind.body(target) };
  const { calls, seconds, wrong } = await runLoad(load);
  if (wrong > 0) throw new Error(`${wrong} of ${calls} creates failed`);
  return calls / seconds;
}
