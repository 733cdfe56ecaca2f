import type { Call } from "edgehelm";
import { ipKey } from "../../../../plugins/http_access_log/contract/ip_key.ts";
import type { LogEntry, LogFilter, LogPage, LogStore } from "../../../../plugins/http_access_log/contract/log_store.ts";
import { logFields } from "../../../../plugins/http_access_log/contract/log_fields.ts";
import { WHOLE_DAY } from "./rows.ts";
import { latencyMeasurement } from "../../measurement/latency.ts";
import type { Measurement } from "../../suite.ts";

const PAGE: LogPage = { cursor: "", oldestFirst: false, size: 20, withBodies: true };
const NOTHING = "zzzzzzzq";
const SAMPLES = 40;
/** Each is asked so often for one sample. */
const TIMES = 5;
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

/** Pages of twenty rows with their bodies: the median time of one in milliseconds. */
export async function queryMeasurements(store: LogStore, call: () => Call): Promise<Measurement[]> {
  const ask = asking(store, call);
  const deep = String(Number(WHOLE_DAY.from) + 43_200);
  const samples = await ask({}, { cursor: String(Number(WHOLE_DAY.from) + 3600), size: SAMPLES });
  const rare = await rareAddress(ask, samples);
  const ip = (key: string) => ({ ip: { from: key, to: key } });
  const keyword = (text: string) => ({ keyword: { kind: "anywhere", text } as const });
  const cases: Record<string, (turn: number) => Promise<unknown>> = {
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
    find_one: (turn) => store.find(call(), samples[turn % samples.length]!.requestId),
    keyword_common: () => ask(keyword("/CART")),
    keyword_none_server: () => ask({ serverId: 999n, ...keyword(NOTHING) }),
    keyword_none_day: () => ask(keyword(NOTHING)),
    server_and_error: () => ask({ serverId: 999n, hasError: true }),
    server_and_firewall: () => ask({ serverId: 999n, firewallPolicyId: 2n }),
    node_user_firewall: () => ask({ nodeId: 7n, userId: 55n, firewallPolicyId: 2n }),
    server_and_ip_rare: () => ask({ serverId: 999n, ...ip(rare) }),
  };
  return Object.entries(cases).map(([name, run]) => latencyMeasurement(`store_${name}`, TIMES, run));
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
