import process from "node:process";
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
    let { cursor, size } = { ...PAGE, ...page };
    const all: LogEntry[] = [];
    for (;;) {
      const wanted = { ...PAGE, ...page, cursor, size };
      const { entries, stoppedAt } = await store.list(call(), { ...WHOLE_DAY, ...filter }, wanted);
      all.push(...entries);
      // a busy machine may need more than the time of one search
      if (stoppedAt === undefined) return all;
      cursor = stoppedAt;
      size -= entries.length;
    }
  };
}

/** Medians in milliseconds of pages of twenty rows with their bodies, and what each takes of CPU, `_cpu_ms`. */
export async function measureQueries(
  store: LogStore,
  call: () => Call,
  times: number,
): Promise<Record<string, number>> {
  const ask = asking(store, call);
  const deep = String(Number(WHOLE_DAY.from) + 43_200);
  const samples = await ask({}, { cursor: String(Number(WHOLE_DAY.from) + 3600), size: SAMPLES });
  const rare = await rareAddress(ask, samples);
  const figures: Record<string, number> = {};
  const time = async (name: string, run: (round: number) => Promise<unknown>) => {
    await run(0);
    const walls: number[] = [];
    const before = process.cpuUsage();
    for (let round = 1; round <= times; round++) {
      const start = performance.now();
      await run(round);
      walls.push(performance.now() - start);
    }
    const { user, system } = process.cpuUsage(before);
    figures[name] = rounded(median(walls));
    figures[`${name.replace(/_ms$/, "")}_cpu_ms`] = rounded((user + system) / 1000 / times);
  };
  const ip = (key: string) => ({ ip: { from: key, to: key } });
  const keyword = (text: string) => ({ keyword: { kind: "anywhere", text } as const });
  const pairs: Partial<LogFilter>[] = [
    { serverId: 999n, hasError: true },
    { serverId: 999n, firewallPolicyId: 2n },
    { nodeId: 7n, userId: 55n, firewallPolicyId: 2n },
    { serverId: 999n, ...ip(rare) },
  ];
  const cases: Record<string, (round: number) => Promise<unknown>> = {
    newest: () => ask({}),
    newest_1000: () => ask({}, { size: 1000 }),
    deep_page: () => ask({}, { cursor: deep }),
    has_error: () => ask({ hasError: true }),
    server: () => ask({ serverId: 500n }),
    domain: () => ask({ host: "www.site2501.com" }),
    ip_rare: () => ask(ip(rare)),
    ip_none: () => ask(ip(ipKey("99.99.99.99")!)),
    firewall: () => ask({ firewallPolicyId: 3n }),
    node: () => ask({ nodeId: 7n }),
    find_one: (round) => store.find(call(), samples[round % samples.length]!.requestId),
    keyword_common_ms: () => ask(keyword("/CART")),
    keyword_none_server_ms: () => ask({ serverId: 999n, ...keyword(NOTHING) }),
    keyword_none_day_ms: () => ask(keyword(NOTHING)),
  };
  for (const [name, run] of Object.entries(cases)) await time(name, run);
  for (const [index, pair] of pairs.entries()) await time(`pair_${index + 1}`, () => ask(pair));
  figures["pair_rare"] = Math.max(...pairs.map((_, index) => figures[`pair_${index + 1}`]!));
  return figures;
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
