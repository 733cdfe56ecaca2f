import { type Call, distinct } from "edgehelm";
import type { NodeConfigPart, Nodes } from "../node/contract.ts";
import type { UserStates } from "../user/contract.ts";
import type { ServerReference, ServerReferenceResolver } from "./contract.ts";
import { isPlacedOn, type PlacedNode } from "./serving.ts";
import type { RelatedContracts } from "./sites.ts";
import type { ServerRow, ServerStore } from "./store.ts";

/** The number of sites per query; other calls run in between. */
const BATCH_SIZE = 500;
const NULL_JSON = "null";

/** Composes the configurations of sites for nodes: their settings and the objects that they refer to. */
export class Composer {
  readonly #servers: ServerStore;
  readonly #resolvers: readonly ServerReferenceResolver[];
  readonly #nodes: Nodes | undefined;
  readonly #states: UserStates | undefined;

  constructor(servers: ServerStore, { resolvers, nodes, states }: RelatedContracts) {
    this.#servers = servers;
    this.#resolvers = resolvers;
    this.#nodes = nodes;
    this.#states = states;
  }

  /** Returns the configurations as JSON objects in the order of the rows. */
  async compose(call: Call, rows: readonly ServerRow[]): Promise<string[]> {
    const proxies = await this.#configs(call, "reverse_proxy", rows.map(({ reverseProxyId }) => reverseProxyId));
    const plans = await this.#configs(call, "user_plan", rows.map(({ userPlanId }) => userPlanId));
    const limits = new Map([...plans].map(([id, json]) => [id, trafficLimitIn(json)]));
    return rows.map((row) => {
      const plan = plans.get(row.userPlanId);
      const ofPlan: [string, string][] = plan === undefined
        ? []
        : [["userPlan", textOf(plan)], ["trafficLimit", limits.get(row.userPlanId)!]];
      const members: [string, string][] = [
        ["id", String(row.id)],
        ["clusterId", String(row.nodeClusterId)],
        ["userId", String(row.userId)],
        ["userPlanId", String(row.userPlanId)],
        ...ofPlan,
        ["isOn", String(row.isOn === 1n)],
        ["type", JSON.stringify(row.type)],
        ["name", JSON.stringify(row.name)],
        ["description", JSON.stringify(row.description)],
        ["version", String(row.version)],
        ["serverNames", textOf(row.serverNamesJSON)],
        ["http", textOf(row.httpJSON)],
        ["https", textOf(row.httpsJSON)],
        ["tcp", textOf(row.tcpJSON)],
        ["tls", textOf(row.tlsJSON)],
        ["udp", textOf(row.udpJSON)],
        ["webId", String(row.webId)],
        ["reverseProxyRef", textOf(row.reverseProxyJSON)],
        ["reverseProxy", textOf(proxies.get(row.reverseProxyId))],
      ];
      return `{${members.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(",")}}`;
    });
  }

  /** Returns true if the node serves the site, and owner and plan of the site let it be served. */
  async isServedBy(call: Call, row: ServerRow, nodeId: bigint): Promise<boolean> {
    if ((await this.#ofServed(call, [row])).length === 0) return false;
    return isPlacedOn(row, { id: nodeId, clusterIds: await this.#nodes?.clustersOf(call, nodeId) ?? [] });
  }

  /** Returns the sites that a node serves as a JSON array: those of its clusters and those that include it. */
  async ofNode(call: Call, node: PlacedNode): Promise<string> {
    const { onOfCluster, onWithIncludedNodes } = this.#servers;
    const composed: string[] = [];
    for (const nodeClusterId of node.clusterIds) {
      const page = (after: bigint) => onOfCluster.all(call, { nodeClusterId, after, limit: BATCH_SIZE });
      composed.push(...await this.#composeAll(call, page, (row) => isPlacedOn(row, node)));
    }
    const page = (after: bigint) => onWithIncludedNodes.all(call, { after, limit: BATCH_SIZE });
    const isIncluded = (row: ServerRow) => !node.clusterIds.includes(row.nodeClusterId) && isPlacedOn(row, node);
    composed.push(...await this.#composeAll(call, page, isIncluded));
    return `[${composed.join(",")}]`;
  }

  async #composeAll(
    call: Call,
    page: (after: bigint) => Promise<readonly ServerRow[]>,
    isServed: (row: ServerRow) => boolean,
  ): Promise<string[]> {
    const composed: string[] = [];
    for (let after = 0n;;) {
      const rows = await page(after);
      composed.push(...await this.compose(call, await this.#ofServed(call, rows.filter(isServed))));
      if (rows.length < BATCH_SIZE) return composed;
      after = rows.at(-1)!.id;
    }
  }

  /** Omits the sites of users whose state does not allow to have sites served. */
  async #ofServedUsers(call: Call, rows: readonly ServerRow[]): Promise<readonly ServerRow[]> {
    const owners = distinct(rows.map(({ userId }) => userId)).filter((id) => id !== 0n);
    if (this.#states === undefined || owners.length === 0) return rows;
    const served = await this.#states.allowed(call, owners, "serve_sites");
    return rows.filter(({ userId }) => userId === 0n || served.has(userId));
  }

  /** Omits also the sites of plans that have ended or are turned off. */
  async #ofServed(call: Call, rows: readonly ServerRow[]): Promise<readonly ServerRow[]> {
    const ofUsers = await this.#ofServedUsers(call, rows);
    const plans = distinct(ofUsers.map(({ userPlanId }) => userPlanId)).filter((id) => id !== 0n);
    const resolver = this.#resolvers.find(({ kind }) => kind === "user_plan");
    if (plans.length === 0 || resolver?.served === undefined) return ofUsers;
    const served = await resolver.served(call, plans);
    return ofUsers.filter(({ userPlanId }) => userPlanId === 0n || served.has(userPlanId));
  }

  async #configs(call: Call, kind: ServerReference, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, Uint8Array>> {
    const referenced = distinct(ids.filter((id) => id !== 0n));
    const resolver = this.#resolvers.find((candidate) => candidate.kind === kind);
    return referenced.length === 0 ? new Map() : await resolver?.configs?.(call, referenced) ?? new Map();
  }
}

/** The part of a node's configuration with the sites that it serves. */
export function sitesPart(composer: Composer): NodeConfigPart {
  return { name: "servers", compose: (call, node) => composer.ofNode(call, node) };
}

/** Returns the limit of traffic in the configuration of a plan, which the other API has as a member of the site. */
function trafficLimitIn(json: Uint8Array): string {
  return JSON.stringify(JSON.parse(textOf(json)).plan?.trafficLimit ?? null);
}

function textOf(json: Uint8Array | undefined): string {
  return json === undefined || json.length === 0 ? NULL_JSON : new TextDecoder().decode(json);
}
