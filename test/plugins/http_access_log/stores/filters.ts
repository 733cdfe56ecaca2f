import { everyLog } from "../../../../plugins/http_access_log/query/filter.ts";
import { ipRange } from "../../../../plugins/http_access_log/query/ip_range.ts";
import { parseKeyword } from "../../../../plugins/http_access_log/query/keyword.ts";
import type { LogFilter } from "../../../../plugins/http_access_log/contract/log_store.ts";
import { firstOf } from "../../../../plugins/http_access_log/contract/request_time.ts";
import { addressOf, DAY, hostOf, START } from "./random_logs.ts";

/** Returns a filter that matches every log of a day. */
export function wholeDay(day = DAY): LogFilter {
  return everyLog(day);
}

type Part = Partial<LogFilter>;

function ip(text: string): Part {
  return { ip: ipRange("ip", text) };
}

function keyword(text: string): Part {
  return { keyword: parseKeyword("keyword", text) };
}

function hours(first: number, last: number): Part {
  return { from: firstOf(START + first * 3600), to: `${firstOf(START + (last + 1) * 3600 - 1)}~` };
}

/** Filters by kind, with frequent, rare and absent values of each. */
export const KINDS: Readonly<Record<string, Readonly<Record<string, Part>>>> = {
  server: { hot: { serverId: 1n }, rare: { serverId: 290n }, none: { serverId: 9999n } },
  user: { hot: { userId: 1n }, rare: { userId: 39n }, none: { userId: 77n } },
  node: { hot: { nodeId: 1n }, rare: { nodeId: 12n }, none: { nodeId: 99n } },
  cluster: { one: { nodeClusterId: 1n }, none: { nodeClusterId: 99n } },
  policy: { hot: { firewallPolicyId: 1n }, rare: { firewallPolicyId: 6n }, none: { firewallPolicyId: 7n } },
  group: { one: { firewallRuleGroupId: 12n } },
  set: { one: { firewallRuleSetId: 104n } },
  firewall: { any: { hasFirewallPolicy: true } },
  error: { any: { hasError: true } },
  ip: {
    hot: ip(addressOf(0)),
    rare: ip(addressOf(4000)),
    none: ip("192.0.2.1"),
    range: ip("10.0.0.9-10.0.2.200"),
    block: ip("10.1.0.0/16"),
    v6: ip("2001:db8::/32"),
  },
  host: {
    hot: { host: hostOf(1, 0) },
    rare: { host: hostOf(280, 1) },
    none: { host: "shop.test" },
    wide: { host: "cdn1.*" },
    inside: { host: "*.shop1*.test" },
    idn: { host: "bücher.test" },
  },
  keyword: {
    address: keyword(addressOf(3)),
    addresses: keyword("ip:10.0.1.0,10.0.3.255"),
    status: keyword("status:404"),
    statuses: keyword("status:300-499"),
    path: keyword("requestPath:/API/"),
    percent: keyword("requestPath:c%20D"),
    underscore: keyword("requestPath:a_B"),
    umlaut: keyword("requestPath:Äpfel"),
    otherUmlaut: keyword("requestPath:äpfel"),
    cut: keyword("requestPath:/end"),
    proto: keyword("proto:http/3"),
    scheme: keyword("scheme:http"),
    method: keyword("method:p"),
    referer: keyword("referer:Search.test"),
    url: keyword("https://shop1.test/index.html?id=17&Ref=3"),
    agent: keyword("crawler/1.0 (+"),
    uri: keyword("?ID=4999&"),
    host: keyword("CDN2.shop7"),
    tag: keyword("slow"),
    tagWithSign: keyword("50%"),
    verb: keyword("delete"),
    bareStatus: keyword("502"),
    bareStatuses: keyword("400-404"),
    digits: keyword(`${START}00`),
    none: keyword("nothing-has-this"),
  },
  hours: { some: hours(9, 10), last: hours(23, 23), none: { from: firstOf(START + 5), to: firstOf(START + 4) } },
};

/** Filters with one value of one kind. */
export const SINGLE: readonly (readonly [string, LogFilter])[] = [
  ["everything", wholeDay()],
  ["the day before", wholeDay(DAY - 1n)],
  ["the day after", wholeDay(DAY + 1n)],
  ["a day without logs", wholeDay(20240229n)],
  ...Object.entries(KINDS).flatMap(([kind, values]) =>
    Object.entries(values).map(([name, part]) => [`${kind} ${name}`, { ...wholeDay(), ...part }] as const)
  ),
];

/** Filters with values of two kinds: combinations of the frequent first and the rare last value of each. */
export const PAIRS: readonly (readonly [string, LogFilter])[] = pairs();

function pairs(): (readonly [string, LogFilter])[] {
  const kinds = Object.keys(KINDS);
  return kinds.flatMap((one, index) =>
    kinds.slice(index + 1).flatMap((other) =>
      ([[0, 0], [1, 0], [0, 1]] as const).map(([first, second]) => {
        const [a, b] = [partOf(one, first), partOf(other, second)];
        return [`${one} ${a.name} and ${other} ${b.name}`, { ...wholeDay(), ...a.part, ...b.part }] as const;
      })
    )
  ).filter(([name], index, all) => all.findIndex(([other]) => other === name) === index);
}

function partOf(kind: string, index: number): { readonly name: string; readonly part: Part } {
  const values = Object.entries(KINDS[kind]!);
  const [name, part] = values[Math.min(index, values.length - 1)]!;
  return { name, part };
}
