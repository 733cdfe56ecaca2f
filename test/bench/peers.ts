import { type Installation, startInstallation } from "./installation.ts";
import { type Load, runLoad } from "./load.ts";
import { base64, hasEtcd, startEtcd } from "./peer_etcd.ts";
import { hasPowerDNS, POWERDNS_KEY, startPowerDNS } from "./peer_powerdns.ts";
import type { Peer } from "./peer_process.ts";
import { median, rounded } from "./statistics.ts";

const CONNECTIONS = 16;
const BATCH = 100;
/** How many domains, zones and keys there are to find. */
const KNOWN = 2000;

type Call = Pick<Load, "path" | "body" | "expected"> & Partial<Pick<Load, "method" | "headers">>;

/**
 * Edgehelm beside PowerDNS (zones by its API, on SQLite) and etcd (keys by its JSON gateway): all of them over HTTP/1.1,
 * by 16 keep-alive connections, with durable writes, in interleaved rounds. Both are free to close connections.
 */
export async function benchPeers(rounds: number, milliseconds: number): Promise<Record<string, number>> {
  const powerDNS = hasPowerDNS() ? await startPowerDNS() : skipped("PowerDNS", "pdns-server pdns-backend-sqlite3");
  const etcd = hasEtcd() ? await startEtcd() : skipped("etcd", "etcd-server");
  const ours = await startInstallation();
  try {
    const calls = new Map<string, { port: number; call: Call; each: number }>();
    for (const [name, call] of Object.entries(await ourCalls(ours))) {
      calls.set(name, { port: ours.server.port, call, each: name === "createBatch" ? BATCH : 1 });
    }
    for (const [name, call] of Object.entries(powerDNS === undefined ? {} : await powerDNSCalls(powerDNS))) {
      calls.set(name, { port: powerDNS!.port, call, each: 1 });
    }
    for (const [name, call] of Object.entries(etcd === undefined ? {} : await etcdCalls(etcd))) {
      calls.set(name, { port: etcd!.port, call, each: 1 });
    }
    const rates = new Map([...calls.keys()].map((name) => [name, [] as number[]]));
    // the first round warms up
    for (let round = -1; round < Math.max(3, rounds); round++) {
      for (const [name, { port, call, each }] of calls) {
        const rate = await perSecond(port, call, milliseconds) * each;
        if (round >= 0) rates.get(name)!.push(rate);
      }
    }
    const rate = (name: string) => median(rates.get(name)!);
    const ratio = (one: string, other: string) =>
      rates.has(other) ? { ratio: rounded(rate(one) / rate(other)) } : undefined;
    const ratios = {
      create_vs_powerdns: ratio("create", "powerDNSCreate"),
      find_vs_powerdns: ratio("find", "powerDNSFind"),
      create_vs_etcd_put: ratio("create", "etcdPut"),
      create_batch_vs_etcd_put: ratio("createBatch", "etcdPut"),
      find_vs_etcd_range: ratio("find", "etcdRange"),
    };
    const measured = Object.entries(ratios).flatMap(([name, one]) => one === undefined ? [] : [[name, one.ratio]]);
    const absolute = [...rates.keys()].map((name) => [`${snake(name)}_per_s`, rounded(rate(name), 0)]);
    return Object.fromEntries([...measured, ...absolute, ["rounds", Math.max(3, rounds)]]);
  } finally {
    await ours.remove();
    await powerDNS?.stop();
    await etcd?.stop();
  }
}

function skipped(name: string, packages: string): undefined {
  console.error(`SKIPPED: ${name} is not installed (apt-get install ${packages}); its figures are missing`);
}

async function perSecond(port: number, call: Call, milliseconds: number): Promise<number> {
  const { calls, seconds, wrong } = await runLoad({ port, connections: CONNECTIONS, milliseconds, ...call });
  if (wrong > 0) throw new Error(`${wrong} of ${calls} answers were not as expected, which is ${call.expected}`);
  return calls / seconds;
}

let made = 0;

async function ourCalls({ call, headers }: Installation): Promise<Record<string, Call>> {
  const cluster = { name: "bench", hosts: ["ns1.bench.test"] };
  const { nsClusterId } = await call<{ nsClusterId: number }>("/NSClusterService/createNSCluster", cluster);
  for (let start = 0; start < KNOWN; start += 500) {
    const names = Array.from({ length: 500 }, (_, index) => `known${start + index}.test`);
    await call("/NSDomainService/createNSDomains", { nsClusterId, names });
  }
  return {
    create: {
      path: "/NSDomainService/createNSDomain",
      headers,
      body: () => `{"nsClusterId":${nsClusterId},"name":"d${made++}.bench.test"}`,
      expected: '"nsDomainId":',
    },
    createBatch: {
      path: "/NSDomainService/createNSDomains",
      headers,
      body: () => {
        const names = Array.from({ length: BATCH }, () => `"d${made++}.bench.test"`);
        return `{"nsClusterId":${nsClusterId},"names":[${names.join(",")}]}`;
      },
      expected: '"nsDomainIds":',
    },
    find: {
      path: "/NSDomainService/findNSDomainWithName",
      headers,
      body: (index) => `{"name":"known${index % KNOWN}.test"}`,
      expected: '"name":"known',
    },
  };
}

async function powerDNSCalls({ port }: Peer): Promise<Record<string, Call>> {
  const path = "/api/v1/servers/localhost/zones";
  const headers = { "x-api-key": POWERDNS_KEY };
  const zone = (name: string) => `{"name":"${name}.","kind":"Native","nameservers":["ns1.bench.test."]}`;
  const create = { path, headers, expected: "HTTP/1.1 201" };
  let known = 0;
  // as many as there are domains to find would take minutes
  await perSecond(port, { ...create, body: () => zone(`known${known++}.test`) }, 2000);
  return {
    powerDNSCreate: { ...create, body: () => zone(`z${made++}.bench.test`) },
    powerDNSFind: {
      method: "GET",
      path: (index) => `${path}/known${index % known}.test.`,
      headers,
      body: () => "",
      expected: '"name": "known',
    },
  };
}

async function etcdCalls({ port }: Peer): Promise<Record<string, Call>> {
  const put = { path: "/v3/kv/put", expected: '"revision":' };
  const pair = (key: string) => `{"key":"${base64(key)}","value":"${base64(`{"name":"${key}","isOn":true}`)}"}`;
  let known = 0;
  await perSecond(port, { ...put, body: () => pair(`known${known++}.test`) }, 2000);
  return {
    etcdPut: { ...put, body: () => pair(`d${made++}.bench.test`) },
    etcdRange: {
      path: "/v3/kv/range",
      body: (index) => `{"key":"${base64(`known${index % known}.test`)}"}`,
      expected: '"count":"1"',
    },
  };
}

function snake(name: string): string {
  return name.replace("DNS", "dns").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
