import { ApiError, createClient, type Fetch, pages } from "edgehelm/client";
import { NSDomainService } from "../../../../plugins/ns_domain/proto/service_ns_domain_pb.ts";
import { NSClusterService } from "../../../../plugins/ns_cluster/proto/service_ns_cluster_pb.ts";
import { EchoService } from "../../../fixtures/echo/proto/echo_pb.ts";

/** The installation that the program calls, and a name that no other run uses. */
export interface Target {
  readonly baseUrl: string;
  readonly id: string;
  readonly secret: string;
  readonly name: string;
}

/** The findings as JSON, which is the same on every runtime. */
export type Findings = Readonly<Record<string, unknown>>;

const DOMAINS = 25;
const STREAMED = 40;

/** Calls an installation in every way that the client offers. */
export async function findings({ baseUrl, id, secret, name }: Target): Promise<Findings> {
  const network = new Network();
  const accessKey = { type: "admin", id, secret } as const;
  const client = createClient({ baseUrl, accessKey, fetch: network.fetch, retry: { firstDelayMilliseconds: 1 } });
  const [clusters, domains, echoes] = [
    client.service(NSClusterService),
    client.service(NSDomainService),
    client.service(EchoService),
  ];

  const { nsClusterId } = await clusters.createNSCluster({ name });
  const { nsCluster } = await clusters.findNSCluster({ nsClusterId });

  const exchangesBefore = network.exchanges;
  network.spoilNextToken = true;
  await echoes.echo();
  const renewals = network.exchanges - exchangesBefore;

  network.loseNextResponse = true;
  await domains.createNSDomain({ nsClusterId, name: `${name}-0.example.com` });
  const { count } = await domains.countAllNSDomains({ nsClusterId });

  const names = Array.from({ length: DOMAINS - 1 }, (_, index) => `${name}-${index + 1}.example.com`);
  await domains.createNSDomains({ nsClusterId, names });
  const listed: string[] = [];
  const list = (page: { offset: bigint; size: bigint }) => domains.listNSDomains({ nsClusterId, ...page });
  for await (const domain of pages(list, ({ nsDomains }) => nsDomains, { size: 10 })) listed.push(domain.name);

  const controller = new AbortController();
  const hanging = echoes.echo({ sleepMilliseconds: 60_000 }, { signal: controller.signal });
  controller.abort(new Error("enough"));
  const cancelled = await hanging.then(() => "not cancelled", (error: Error) => error.message);

  let streamed = 0;
  for await (const { number, payload } of echoes.expand({ count: STREAMED, size: 10_000 })) {
    if (number === BigInt(streamed) && payload.length === 10_000) streamed++;
  }

  const connect = createClient({ baseUrl, accessKey, protocol: "connect", fetch: network.fetch }).service(EchoService);
  const { number } = await connect.echo({ number: 2n ** 60n });
  const error: unknown = await echoes.echo({ failure: "no bread" }).catch((one: unknown) => one);
  return {
    cluster: nsCluster?.name === name,
    renewals,
    domainsOfLostResponse: String(count),
    listed: new Set(listed).size,
    cancelled,
    streamed,
    number: String(number),
    failure: error instanceof ApiError && [error.code, error.reason, error.requestId !== undefined],
  };
}

/** Everything that a runtime should find. */
export const EXPECTED: Findings = {
  cluster: true,
  renewals: 1,
  domainsOfLostResponse: "1",
  listed: DOMAINS,
  cancelled: "enough",
  streamed: STREAMED,
  number: String(2n ** 60n),
  failure: [400, "kernel.invalid_field", true],
};

/** The fetch of the runtime, which fails on demand. */
class Network {
  exchanges = 0;
  spoilNextToken = false;
  loseNextResponse = false;

  readonly fetch: Fetch = async (input, init) => {
    if (input.endsWith("/getAPIAccessToken")) this.exchanges++;
    const headers = new Headers(init.headers);
    if (this.spoilNextToken) headers.set("x-cloud-access-token", "spoilt");
    this.spoilNextToken = false;
    const response = await globalThis.fetch(input, { ...init, headers });
    if (!this.loseNextResponse) return response;
    this.loseNextResponse = false;
    await response.text();
    throw new TypeError("connection reset");
  };
}
