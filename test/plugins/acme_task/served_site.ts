import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { readDatabase } from "../../harness/read_database.ts";
import { CHOSEN_KEY, installationDirectory, removeInstallation, Server } from "../../harness/server.ts";
import { type DnsServer, startDns } from "../../servers/dns.ts";
import { type Pebble, type PebbleOptions, startPebble } from "../../servers/pebble.ts";

/** The plugins of an installation that obtains certificates by both challenges. */
const PLUGINS = [
  "acme_authentication",
  "acme_provider_account",
  "acme_task",
  "acme_user",
  "admin",
  "api_access_token",
  "node",
  "node_base",
  "node_cluster",
  "ns_cluster",
  "ns_domain",
  "ns_record",
  "server",
  "ssl_cert",
  "user",
  "user_access_key",
];

/** The settings of {@link ServedSite}. */
export interface SiteOptions extends Pick<PebbleOptions, "rejectedNonces"> {
  /** More plugins. */
  readonly plugins?: readonly string[];
}

/** The node that responds to the provider for the sites of the installation. */
interface Node {
  readonly uniqueId: string;
  readonly secret: string;
}

/**
 * A provider and an installation in a process of its own, whose DNS and edge nodes the test plays: DNS nodes go on with
 * the records that they have while the server is away, edge nodes ask it about each question.
 */
export class ServedSite implements AsyncDisposable {
  readonly pebble: Pebble;
  /** The environment variables of the installation. */
  readonly environment: Record<string, string>;
  /** The server that edge nodes ask; undefined while there is none. */
  server: Server | undefined;
  readonly #dns: DnsServer;
  readonly #sites: HttpServer;
  #node: Node | undefined;

  private constructor(pebble: Pebble, environment: Record<string, string>, dns: DnsServer, sites: HttpServer) {
    this.pebble = pebble;
    this.environment = environment;
    this.#dns = dns;
    this.#sites = sites;
  }

  /** Starts all but the server of the installation. */
  static async open({ plugins = [], ...options }: SiteOptions = {}): Promise<ServedSite> {
    const sites = createServer(async (request, response) => {
      const key = await site.#keyOf(request.url ?? "");
      response.writeHead(key === undefined ? 503 : 200).end(key ?? "");
    });
    await new Promise<void>((resolve) => sites.listen(0, "127.0.0.1", resolve));
    const dns = await startDns(({ name, type }) => {
      if (type === "A") return Promise.resolve([{ type, name, data: "127.0.0.1", ttl: 1 }]);
      if (type !== "TXT") return Promise.resolve([]);
      return Promise.resolve(site.#texts(name).map((data) => ({ type, name, data, ttl: 1 })));
    });
    const httpPort = (sites.address() as AddressInfo).port;
    const pebble = await startPebble({ ...options, dnsServer: dns.address, httpPort });
    const provider = { code: "pebble", name: "Pebble", apiURL: pebble.directoryUrl, ca: pebble.ca };
    const configured = [
      { use: "acme_provider", config: { providers: [provider] } },
      { use: "acme_task", config: { dnsSeconds: 0 } },
    ];
    const others = [...PLUGINS, ...plugins].filter((name) => configured.every(({ use }) => use !== name));
    const settings = { outbound: { allow: ["127.0.0.0/8"] } };
    const environment = { ...await installationDirectory([...others, ...configured], settings), ...CHOSEN_KEY };
    const site = new ServedSite(pebble, environment, dns, sites);
    return site;
  }

  /** Queries the database of the installation, whether or not its server runs. */
  query(sql: string): ReturnType<typeof readDatabase> {
    return readDatabase(join(this.environment["EDGEHELM_DATA"]!, "edgehelm.db"), sql);
  }

  /** Calls an operation as the first admin, and returns its response. */
  // deno-lint-ignore no-explicit-any -- the shape of the response depends on the operation
  async call(path: string, request: unknown = {}): Promise<any> {
    const { code, message, data } = await this.server!.post(`/${path}`, request);
    if (code !== 200) throw new Error(message);
    return data;
  }

  /** Creates an ACME user with the provider, a cluster with a node, and a cluster of DNS nodes. */
  async prepare(): Promise<
    { readonly acmeUserId: number; readonly nodeClusterId: number; readonly nsClusterId: number }
  > {
    const { nsClusterId } = await this.call("NSClusterService/createNSCluster", { name: "dns" });
    const { nodeClusterId } = await this.call("NodeClusterService/createNodeCluster", { name: "edge" });
    const { nodeId } = await this.call("NodeService/createNode", { name: "n1", nodeClusterId });
    this.#node = (await this.call("NodeService/findEnabledNode", { nodeId })).node;
    const user = { email: "ada@example.com", acmeProviderCode: "pebble" };
    const { acmeUserId } = await this.call("ACMEUserService/createACMEUser", user);
    return { acmeUserId, nodeClusterId, nsClusterId };
  }

  #texts(name: string): string[] {
    const sql = `select value from nsRecords r join nsDomains d on d.id = nsDomainId
      where r.type = 'TXT' and r.isOn = 1 and r.state = 1 and d.state = 1 and r.name || '.' || d.name = '${name}'`;
    return /^[\w.-]+$/.test(name) ? this.query(sql).map(([value]) => String(value)) : [];
  }

  /** Returns what the node gets for a token; undefined if the server is away. */
  async #keyOf(path: string): Promise<string | undefined> {
    const token = path.replace("/.well-known/acme-challenge/", "");
    try {
      const node = await this.server!.token(this.#node!.uniqueId, this.#node!.secret, "node");
      const operation = "/ACMEAuthenticationService/findACMEAuthenticationKeyWithToken";
      return (await this.server!.postWith(node, operation, { token })).data.key;
    } catch {
      return undefined;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server?.kill();
    await this.server?.ended;
    await this.pebble[Symbol.asyncDispose]();
    await this.#dns[Symbol.asyncDispose]();
    this.#sites.closeAllConnections();
    await new Promise((resolve) => this.#sites.close(resolve));
    await removeInstallation(this.environment);
  }
}
