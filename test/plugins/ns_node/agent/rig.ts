import { expect, vi } from "vitest";
import { CHOSEN_KEY, installationDirectory, removeInstallation, Server } from "../../../harness/server.ts";
import { DNSAgent } from "../../../servers/dns_agent.ts";
import { Knot } from "../../../servers/knot.ts";

/** A machine with much to do is slow; tests wait for states, and only a hang ends by this limit. */
const WAIT = { timeout: 120_000, interval: 50 };

const PLUGINS = [
  "access_log_segments",
  "admin",
  "api_access_token",
  "api_node",
  "log",
  "login",
  "node_base",
  "ns_cluster",
  "ns_dnssec",
  "ns_domain",
  "ns_key",
  "ns_node",
  "ns_record",
  "ns_record_hourly_stat",
  "ns_route",
  "ns_zone",
  "ns_zone_file",
  "user",
  "user_access_key",
];

/** A machine with Knot and an agent. */
export interface Machine {
  readonly knot: Knot;
  readonly agent: DNSAgent;
  readonly nsNodeId: number;
}

/** An installation in a process of its own, with a DNS cluster and machines that serve its domains. */
export class DNSSite implements AsyncDisposable {
  readonly environment: Record<string, string>;
  readonly #machines: Machine[] = [];
  server: Server;
  nsClusterId = 0;

  private constructor(environment: Record<string, string>, server: Server) {
    this.environment = environment;
    this.server = server;
  }

  /** @param more plugins besides those of DNS */
  static async open(more: Parameters<typeof installationDirectory>[0] = [], settings = {}): Promise<DNSSite> {
    const poll = { use: "ns_node", config: { taskPollMilliseconds: 20 } };
    const plugins = [...PLUGINS.map((use) => use === "ns_node" ? poll : use), ...more];
    const environment: Record<string, string> = { ...await installationDirectory(plugins, settings), ...CHOSEN_KEY };
    const site = new DNSSite(environment, await Server.start(environment));
    // agents find the server again
    environment["EDGEHELM_GRPC_PORT"] = new URL(site.server.grpcUrl).port;
    const cluster = { name: "dns", hosts: ["ns1.edge.test", "ns2.edge.test"], email: "dns@edge.test" };
    site.nsClusterId = (await site.call("NSClusterService/createNSCluster", cluster)).nsClusterId;
    return site;
  }

  /**
   * Creates a node, and starts its agent and Knot.
   *
   * @param environment what the agent gets besides
   */
  async machine(start = () => Knot.start(), environment: Readonly<Record<string, string>> = {}): Promise<Machine> {
    const node = { name: "ns1", nodeClusterId: this.nsClusterId };
    const { nsNodeId } = await this.call("NSNodeService/createNSNode", node);
    const { uniqueId, secret } = (await this.call("NSNodeService/findNSNode", { nsNodeId })).nsNode;
    const knot = await start();
    const configuration = { endpoints: [this.server.grpcUrl], uniqueId, secret };
    const agent = await DNSAgent.start(configuration, knot, environment);
    const machine = { knot, agent, nsNodeId };
    this.#machines.push(machine);
    return machine;
  }

  /** Calls an operation as the first admin, and returns its response. */
  // deno-lint-ignore no-explicit-any -- the shape of the response depends on the operation
  async call(path: string, request: unknown = {}): Promise<any> {
    const { code, message, data } = await this.server.post(`/${path}`, request);
    if (code !== 200) throw new Error(message);
    return data;
  }

  async domain(name: string): Promise<number> {
    return (await this.call("NSDomainService/createNSDomain", { nsClusterId: this.nsClusterId, name })).nsDomainId;
  }

  async record(nsDomainId: number, name: string, type: string, value: string, more: object = {}): Promise<number> {
    const request = { nsDomainId, name, type, value, ...more };
    return (await this.call("NSRecordService/createNSRecord", request)).nsRecordId;
  }

  /** Kills the server, and starts another one on the same data and port. */
  async killServer(between: () => Promise<void> = async () => {}): Promise<void> {
    this.server.kill();
    await this.server.ended;
    await between();
    this.server = await Server.start(this.environment);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { agent, knot } of this.#machines) {
      await agent[Symbol.asyncDispose]();
      await knot[Symbol.asyncDispose]();
    }
    this.server.kill();
    await this.server.ended;
    await removeInstallation(this.environment);
  }
}

/** Waits until a name has exactly these records. */
export async function serves(
  { knot }: { readonly knot: Pick<Knot, "short"> },
  name: string,
  type: string,
  ...data: string[]
) {
  await vi.waitFor(async () => expect(await knot.short(name, type)).toEqual(data.sort()), WAIT);
}

/** Waits until Knot refuses to respond for a name. */
export async function refuses({ knot }: { readonly knot: Pick<Knot, "dig"> }, name: string): Promise<void> {
  await vi.waitFor(async () => expect(await knot.dig(name, "SOA")).toContain("status: REFUSED"), WAIT);
}

export async function serialOf({ knot }: Pick<Machine, "knot">, zone: string): Promise<number> {
  return Number((await knot.short(zone, "SOA"))[0]?.split(" ")[2]);
}
