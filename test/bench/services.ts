import { join } from "node:path";
import { type Installation, startInstallation } from "./installation.ts";
import { runLoad } from "./load.ts";
import { BILLED_USERS, domainName, DOMAINS, fillDatabase, OF_ONE, TRAFFIC_DAY } from "./services_data.ts";
import { median, rounded } from "./statistics.ts";

const CALLS = 40;
const WRITERS = 16;
const LIST = "/NSDomainService/listNSDomains";
const COUNT = "/NSDomainService/countAllNSDomains";

/** What the services cost at a million domains and 100000 users: the milliseconds of one call, as a client sees them. */
export async function benchServices(rounds: number, milliseconds: number): Promise<Record<string, number>> {
  const empty = await startInstallation();
  let ours = empty;
  try {
    const clusterIds = [await newCluster(ours, "first"), await newCluster(ours, "second")] as const;
    await ours.server.stop();
    const started = performance.now();
    const { userId } = fillDatabase(join(ours.directory, "edgehelm.db"), clusterIds);
    const fillSeconds = rounded((performance.now() - started) / 1000, 0);
    ours = await startInstallation({ directory: ours.directory });
    const figures = await listFigures(ours, rounds, { userId, nsClusterId: clusterIds[1] });
    return {
      ...figures,
      list_deep_vs_first: rounded(figures.list_domains_deep_ms! / figures.list_domains_ms!),
      list_user_deep_vs_first: rounded(figures.list_user_deep_ms! / figures.list_user_ms!),
      list_cluster_deep_vs_first: rounded(figures.list_cluster_deep_ms! / figures.list_cluster_ms!),
      create_domain_per_s: rounded(await createsPerSecond(ours, clusterIds[0], rounds, milliseconds), 0),
      ...await billFigures(ours),
      fill_s: fillSeconds,
      rss_mb: rounded(ours.server.residentMegabytes(), 0),
      rounds,
    };
  } finally {
    await ours.remove();
  }
}

async function newCluster(ours: Installation, name: string): Promise<number> {
  const request = { name, hosts: ["ns1.bench.test"] };
  return (await ours.call<{ nsClusterId: number }>("/NSClusterService/createNSCluster", request)).nsClusterId;
}

type Ask = (call: number) => Promise<void>;

async function listFigures(
  ours: Installation,
  rounds: number,
  { userId, nsClusterId }: { userId: number; nsClusterId: number },
): Promise<Record<string, number>> {
  /** Each call asks for another page, keyword or name, so that nothing is answered from what the last one left. */
  const lists = (filter: object, total: number): Record<string, Ask> => ({
    "": (call) => expectRows(ours, { ...filter, offset: call }, 20),
    "deep_": (call) => expectRows(ours, { ...filter, offset: total - 1000 - call * 7 }, 20),
  });
  const counts = (filter: object, total: number): Ask => async () => {
    const { count } = await ours.call<{ count: number }>(COUNT, filter);
    if (count !== total) throw new Error(`${count} domains were counted, and there are ${total}`);
  };
  const user = { userId };
  const cluster = { nsClusterId };
  const name = (call: number) => domainName((call + 1) * 20_011 % DOMAINS + 1);
  const asks: Record<string, Ask> = {
    list_domains_ms: lists({}, DOMAINS)[""]!,
    list_domains_deep_ms: lists({}, DOMAINS)["deep_"]!,
    count_domains_ms: counts({}, DOMAINS),
    keyword_domains_ms: (call) => expectRows(ours, { keyword: name(call).split(".")[0]! }, 1),
    keyword_common_ms: (call) => expectRows(ours, { keyword: "shop", offset: call }, 20),
    find_by_name_ms: async (call) => {
      const request = { name: name(call) };
      const { nsDomain } = await ours.call<{ nsDomain?: { name: string } }>(
        "/NSDomainService/findNSDomainWithName",
        request,
      );
      if (nsDomain?.name !== request.name) throw new Error(`domain ${request.name} was not found`);
    },
    list_user_ms: lists(user, OF_ONE)[""]!,
    list_user_deep_ms: lists(user, OF_ONE)["deep_"]!,
    count_user_ms: counts(user, OF_ONE),
    keyword_user_ms: (call) => expectRows(ours, { ...user, keyword: "shop", offset: call }, 20),
    list_cluster_ms: lists(cluster, OF_ONE)[""]!,
    list_cluster_deep_ms: lists(cluster, OF_ONE)["deep_"]!,
    count_cluster_ms: counts(cluster, OF_ONE),
    keyword_cluster_ms: (call) => expectRows(ours, { ...cluster, keyword: "shop", offset: call }, 20),
  };
  const times = new Map(Object.keys(asks).map((figure) => [figure, [] as number[]]));
  for (let round = -1; round < rounds; round++) {
    for (const [figure, ask] of Object.entries(asks)) {
      for (let call = 0; call < CALLS; call++) {
        const started = performance.now();
        await ask(call);
        if (round >= 0) times.get(figure)!.push(performance.now() - started);
      }
    }
  }
  return Object.fromEntries([...times].map(([figure, all]) => [figure, rounded(median(all))]));
}

async function expectRows(ours: Installation, request: object, least: number): Promise<void> {
  const { nsDomains } = await ours.call<{ nsDomains: unknown[] }>(LIST, request);
  if (nsDomains.length < least) throw new Error(`${nsDomains.length} rows for ${JSON.stringify(request)}`);
}

async function createsPerSecond(ours: Installation, nsClusterId: number, rounds: number, milliseconds: number) {
  let made = 0;
  const rates: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const { calls, seconds, wrong } = await runLoad({
      port: ours.server.port,
      connections: WRITERS,
      milliseconds,
      headers: ours.headers,
      path: "/NSDomainService/createNSDomain",
      body: () => `{"nsClusterId":${nsClusterId},"name":"new${made++}.bench.test"}`,
      expected: '"nsDomainId":',
    });
    if (wrong > 0) throw new Error(`${wrong} of ${calls} creates failed`);
    rates.push(calls / seconds);
  }
  return median(rates);
}

/** One call that makes the bills of 10000 users. */
async function billFigures(ours: Installation): Promise<Record<string, number>> {
  const started = performance.now();
  try {
    await ours.call("/UserBillService/generateAllUserBills", { month: TRAFFIC_DAY.slice(0, 6) });
  } catch (error) {
    console.error(`SKIPPED: bills_10k_users_s: ${error instanceof Error ? error.message : error}`);
    return {};
  }
  const seconds = rounded((performance.now() - started) / 1000);
  const { count } = await ours.call<{ count: number }>("/UserBillService/countAllUserBills", { paidFlag: -1 });
  if (count < BILLED_USERS) throw new Error(`${count} bills were made for ${BILLED_USERS} users`);
  return { bills_10k_users_s: seconds };
}
