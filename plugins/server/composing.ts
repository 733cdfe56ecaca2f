import { type Call, distinct } from "edgehelm";
import type { NodeConfigPart, Nodes } from "../node/contract.ts";
import type { Users } from "../user/contract.ts";
import { nodesIn } from "./config.ts";
import type { ServerReference, ServerReferenceKeeper } from "./contract.ts";
import type { Neighbours } from "./sites.ts";
import type { ServerRow, ServerStore } from "./store.ts";

/** So many sites are composed at once, before others get their turn. */
const AT_ONCE = 500;
const NOTHING = "null";
/** Of `[]`, the common case. */
const NO_LIST_LENGTH = 2;

/** Sites as nodes get them: their settings, with what they refer to put in. */
export class Composer {
  readonly #servers: ServerStore;
  readonly #keepers: readonly ServerReferenceKeeper[];
  readonly #nodes: Nodes | undefined;
  readonly #users: Users | undefined;

  constructor(servers: ServerStore, { keepers, nodes, users }: Neighbours) {
    this.#servers = servers;
    this.#keepers = keepers;
    this.#nodes = nodes;
    this.#users = users;
  }

  /** JSON objects in the order of the rows. */
  async compose(call: Call, rows: readonly ServerRow[]): Promise<string[]> {
    const proxies = await this.#configs(call, "reverse_proxy", rows.map(({ reverseProxyId }) => reverseProxyId));
    return rows.map((row) => {
      const members: [string, string][] = [
        ["id", String(row.id)],
        ["clusterId", String(row.nodeClusterId)],
        ["userId", String(row.userId)],
        ["userPlanId", String(row.userPlanId)],
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

  /** Whether a node serves a site: one of its cluster that is not left out, or one that is added. */
  async isServedBy(call: Call, row: ServerRow, nodeId: bigint): Promise<boolean> {
    if ((await this.#ofServedUsers(call, [row])).length === 0) return false;
    if (names(row, "includeNodesJSON", nodeId)) return true;
    const [found] = await this.#nodes?.idsOfCluster(call, row.nodeClusterId, nodeId - 1n, 1) ?? [];
    return found === nodeId && !names(row, "excludeNodesJSON", nodeId);
  }

  /** The sites that are on, of the clusters of a node and those that the node is added to, as a JSON array. */
  async ofNode(call: Call, { id, clusterIds }: { id: bigint; clusterIds: readonly bigint[] }): Promise<string> {
    const { onOfCluster, onWithMoreNodes } = this.#servers;
    const composed: string[] = [];
    for (const nodeClusterId of clusterIds) {
      const page = (after: bigint) => onOfCluster.all(call, { nodeClusterId, after, limit: AT_ONCE });
      const isServed = (row: ServerRow) => names(row, "includeNodesJSON", id) || !names(row, "excludeNodesJSON", id);
      composed.push(...await this.#composeAll(call, page, isServed));
    }
    const page = (after: bigint) => onWithMoreNodes.all(call, { after, limit: AT_ONCE });
    const isAdded = (row: ServerRow) => !clusterIds.includes(row.nodeClusterId) && names(row, "includeNodesJSON", id);
    composed.push(...await this.#composeAll(call, page, isAdded));
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
      composed.push(...await this.compose(call, await this.#ofServedUsers(call, rows.filter(isServed))));
      if (rows.length < AT_ONCE) return composed;
      after = rows.at(-1)!.id;
    }
  }

  /** Without the sites of users who are off, deleted or kept from having theirs served. */
  async #ofServedUsers(call: Call, rows: readonly ServerRow[]): Promise<readonly ServerRow[]> {
    const owners = distinct(rows.map(({ userId }) => userId)).filter((id) => id !== 0n);
    if (this.#users === undefined || owners.length === 0) return rows;
    const served = await this.#users.served(call, owners);
    return rows.filter(({ userId }) => userId === 0n || served.has(userId));
  }

  async #configs(call: Call, kind: ServerReference, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, Uint8Array>> {
    const wanted = distinct(ids.filter((id) => id !== 0n));
    const keeper = this.#keepers.find((one) => one.kind === kind);
    return wanted.length === 0 ? new Map() : await keeper?.configs?.(call, wanted) ?? new Map();
  }
}

/** What nodes are told of the sites that they serve. */
export function sitesPart(composer: Composer): NodeConfigPart {
  return { name: "servers", compose: (call, node) => composer.ofNode(call, node) };
}

function names(row: ServerRow, list: "includeNodesJSON" | "excludeNodesJSON", nodeId: bigint): boolean {
  return row[list].length > NO_LIST_LENGTH && nodesIn(list, row[list]).includes(nodeId);
}

function textOf(json: Uint8Array | undefined): string {
  return json === undefined || json.length === 0 ? NOTHING : new TextDecoder().decode(json);
}
