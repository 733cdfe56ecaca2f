import { type Call, distinct } from "edgehelm";
import type { Nodes } from "../../node/contract.ts";
import type { Servers } from "../../server/contract.ts";
import type { LogEntry } from "../contract/log_store.ts";
import type { ReceivedLog } from "./received.ts";

/** Resolves the owner and the node cluster of logs. */
export class LogOwners {
  readonly #servers: Servers;
  readonly #nodes: Nodes | undefined;

  constructor(servers: Servers, nodes: Nodes | undefined) {
    this.#servers = servers;
    this.#nodes = nodes;
  }

  /** Returns entries with the current owner of the site and the cluster of the node, or else of the site. */
  async entries(call: Call, received: readonly ReceivedLog[]): Promise<LogEntry[]> {
    const serverOf = await this.#servers.summaries(call, distinct(received.map(({ serverId }) => serverId)));
    const nodeOf = await this.#nodes?.summaries(call, distinct(received.map(({ nodeId }) => nodeId)));
    return received.map(({ requestId, serverId, nodeId, log, requestBody }) => {
      const server = serverOf.get(serverId);
      const nodeClusterId = nodeOf?.get(nodeId)?.nodeClusterId ?? server?.nodeClusterId ?? 0n;
      return { requestId, userId: server?.userId ?? 0n, nodeClusterId, log, requestBody };
    });
  }
}
