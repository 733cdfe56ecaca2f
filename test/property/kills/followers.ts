import type { Market } from "./market.ts";
import type { ServerProcess } from "./server_process.ts";

interface Versioned {
  readonly id: number;
  readonly version: number;
}

/** An edge node and a DNS node that fetch only what changed. */
export class Followers {
  readonly #market: Market;
  #config = "";
  #configVersion = 0;
  #domainVersion = 0;
  readonly #domains = new Map<number, string>();

  constructor(market: Market) {
    this.#market = market;
  }

  /** Fetches what changed. */
  async poll(server: ServerProcess): Promise<void> {
    const config = await this.#fetchConfig(server, this.#configVersion);
    if (config !== undefined) [this.#config, this.#configVersion] = [config.text, config.version];
    for (const domain of await this.#fetchDomains(server, this.#domainVersion)) {
      this.#domains.set(domain.id, textOf(domain));
      this.#domainVersion = Math.max(this.#domainVersion, domain.version);
    }
  }

  /** Returns how what they hold differs from what a new node would fetch. */
  async differences(server: ServerProcess): Promise<string[]> {
    const full = await this.#fetchConfig(server, 0);
    const differences = full?.text === this.#config ? [] : ["the edge node holds other sites than a new one"];
    for (const domain of await this.#fetchDomains(server, 0)) {
      const [held, current] = [this.#domains.get(domain.id), textOf(domain)];
      if (held !== current) differences.push(`the DNS node holds ${held} instead of ${current}`);
    }
    return differences;
  }

  async #fetchConfig(server: ServerProcess, version: number) {
    const path = "NodeService/findCurrentNodeConfig";
    const { isChanged, nodeJSON } = await server.call("node", this.#market.nodeId, path, { version });
    if (!isChanged) return undefined;
    const { servers, version: current } = JSON.parse(atob(nodeJSON));
    return { text: JSON.stringify(servers), version: current as number };
  }

  async #fetchDomains(server: ServerProcess, version: number): Promise<Versioned[]> {
    const request = { version, size: 1000 };
    const path = "NSDomainService/listNSDomainsAfterVersion";
    return (await server.call("dns", this.#market.nsNodeId, path, request)).nsDomains ?? [];
  }
}

function textOf(domain: object): string {
  return JSON.stringify({ ...domain, version: 0 });
}
