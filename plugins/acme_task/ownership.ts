import { type Call, invalid } from "edgehelm";
import type { NSDomains, NSDomainSummary } from "../ns_domain/contract.ts";
import type { Servers } from "../server/contract.ts";
import { baseOf, isWildcard } from "./names.ts";
import type { AuthType } from "./store_tables.ts";

/** The names of a task, and how they are proved. */
export interface Claimed {
  readonly userId: bigint;
  readonly authType: AuthType;
  readonly dnsDomain: string;
  readonly names: readonly string[];
}

/** The domain, or the sites by name, that prove names. */
export interface Grounds {
  readonly domain: NSDomainSummary | undefined;
  readonly sites: ReadonlyMap<string, bigint>;
}

/** Decides for which names an owner may obtain certificates. It is asked before each order and each proof. */
export class Ownership {
  readonly #domains: NSDomains | undefined;
  readonly #servers: Servers | undefined;

  constructor(domains: NSDomains | undefined, servers: Servers | undefined) {
    this.#domains = domains;
    this.#servers = servers;
  }

  /** @throws RpcError invalid that names the field, if the owner cannot prove a name */
  async require(call: Call, claimed: Claimed): Promise<Grounds> {
    return claimed.authType === "dns"
      ? { domain: await this.#requireDomain(call, claimed), sites: new Map() }
      : { domain: undefined, sites: await this.#requireSites(call, claimed) };
  }

  async #requireDomain(call: Call, { userId, dnsDomain, names }: Claimed): Promise<NSDomainSummary> {
    if (this.#domains === undefined) throw invalid("authType", `must be "http": this installation serves no DNS`);
    const [found] = await this.#domains.requireNamed(call, () => "dnsDomain", userId, [dnsDomain]);
    const domain = (await this.#domains.served(call, [found!.id])).get(found!.id);
    if (domain === undefined) {
      throw invalid("dnsDomain", `the domain "${dnsDomain}" must be verified and turned on, so that nodes serve it`);
    }
    const foreign = names.find((name) => baseOf(name) !== domain.name && !baseOf(name).endsWith(`.${domain.name}`));
    if (foreign !== undefined) throw invalid("domains", `must be at or below ${domain.name}, got "${foreign}"`);
    return domain;
  }

  async #requireSites(call: Call, { userId, names }: Claimed): Promise<ReadonlyMap<string, bigint>> {
    if (this.#servers === undefined) throw invalid("authType", `must be "dns": this installation serves no sites`);
    const wildcard = names.find(isWildcard);
    if (wildcard !== undefined) throw invalid("domains", `"${wildcard}" can be proved by DNS records only`);
    const sites = await this.#servers.named(call, userId, names);
    const unserved = names.find((name) => !sites.has(name));
    if (unserved === undefined) return sites;
    throw invalid("domains", `no site of the owner has the name "${unserved}"`);
  }
}
