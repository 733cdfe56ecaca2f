import type { Call } from "edgehelm";
import { ipKey } from "../../plugins/http_access_log/ip_key.ts";
import type { LogEntry, LogFilter, LogPage, LogStore } from "../../plugins/http_access_log/log_store.ts";
import { logFields } from "../../plugins/http_access_log/log_fields.ts";
import { WHOLE_DAY } from "./logs_rows.ts";
import { median, rounded } from "./statistics.ts";

const PAGE: LogPage = { cursor: "", oldestFirst: false, size: 20, withBodies: true };
const NOTHING = "zzzzzzzq";
const SAMPLES = 40;
/** An address is rare when the day has so few rows of it. */
const RARE = 4;

/** One question, as often as it is asked. */
export type Ask = (filter: Partial<LogFilter>, page?: Partial<LogPage>) => Promise<readonly LogEntry[]>;

export function asking(store: LogStore, call: () => Call): Ask {
  return async (filter, page = {}) => {
    const { entries, stoppedAt } = await store.list(call(), { ...WHOLE_DAY, ...filter }, { ...PAGE, ...page });
    if (stoppedAt !== undefined) throw new Error(`a search stopped at ${stoppedAt}`);
    return entries;
  };
}

/** Medians in milliseconds of pages of twenty rows with their bodies. */
export async function measureQueries(store: LogStore, call: () => Call, times: number): Promise<Record<string, number>> {
  const ask = asking(store, call);
  const deep = String(Number(WHOLE_DAY.from) + 43_200);
  const samples = await ask({}, { cursor: String(Number(WHOLE_DAY.from) + 3600), size: SAMPLES });
  const rare = await rareAddress(ask, samples);
  const time = async (run: (round: number) => Promise<unknown>) => {
    const figures: number[] = [];
    for (let round = -1; round < times; round++) {
      const start = performance.now();
      await run(round + 1);
      if (round >= 0) figures.push(performance.now() - start);
    }
    return rounded(median(figures));
  };
  const ip = (key: string) => ({ ip: { from: key, to: key } });
  const keyword = (text: string) => ({ keyword: { kind: "anywhere", text } as const });
  const pairs: Partial<LogFilter>[] = [
    { serverId: 999n, hasError: true },
    { serverId: 999n, firewallPolicyId: 2n },
    { nodeId: 7n, userId: 55n, firewallPolicyId: 2n },
    { serverId: 999n, ...ip(rare) },
  ];
  const pairTimes: number[] = [];
  for (const pair of pairs) pairTimes.push(await time(() => ask(pair)));
  return {
    newest: await time(() => ask({})),
    newest_1000: await time(() => ask({}, { size: 1000 })),
    deep_page: await time(() => ask({}, { cursor: deep })),
    has_error: await time(() => ask({ hasError: true })),
    server: await time(() => ask({ serverId: 500n })),
    domain: await time(() => ask({ host: "www.site2501.com" })),
    ip_rare: await time(() => ask(ip(rare))),
    ip_none: await time(() => ask(ip(ipKey("99.99.99.99")!))),
    firewall: await time(() => ask({ firewallPolicyId: 3n })),
    node: await time(() => ask({ nodeId: 7n })),
    find_one: await time((round) => store.find(call(), samples[round % samples.length]!.requestId)),
    pair_rare: Math.max(...pairTimes),
    keyword_common_ms: await time(() => ask(keyword("/CART"))),
    keyword_none_server_ms: await time(() => ask({ serverId: 999n, ...keyword(NOTHING) })),
    keyword_none_day_ms: await time(() => ask(keyword(NOTHING))),
  };
}

async function rareAddress(ask: Ask, samples: readonly LogEntry[]): Promise<string> {
  let [best, fewest] = ["", Infinity];
  for (const { log } of samples) {
    const { ipKey: key } = logFields(log);
    const { length } = await ask({ ip: { from: key, to: key } }, { size: 100 });
    if (length < fewest) [best, fewest] = [key, length];
    if (fewest <= RARE) break;
  }
  return best;
}
