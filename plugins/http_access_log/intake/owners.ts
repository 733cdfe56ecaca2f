import { type Call, distinct } from "edgehelm";
import type { Nodes } from "../../node/contract.ts";
import { type Servers, wasServed } from "../../server/contract.ts";
import type { LogEntry } from "../contract/log_store.ts";
import { secondsOf } from "../contract/request_time.ts";
import { ACCESS_LOG } from "../viewing.ts";
import type { ReceivedLog } from "./received.ts";

/** Resolves the owner and the node cluster of logs. */
export class LogOwners {
  readonly #servers: Servers;
  readonly #nodes: Nodes | undefined;

  constructor(servers: Servers, nodes: Nodes | undefined) {
    this.#servers = servers;
    this.#nodes = nodes;
  }

  /**
   * Returns entries with the current owner of the site and the cluster of the node, or else of the site. Logs of a node
   * about sites that it does not serve are omitted, and those of sites whose plan does not include logs.
   */
  async entries(call: Call, received: readonly ReceivedLog[]): Promise<LogEntry[]> {
    const ids = distinct(received.map(({ serverId }) => serverId)).filter((id) => id !== 0n);
    const serverOf = await this.#servers.servedByCaller(call, ids);
    const nodeOf = await this.#nodes?.summaries(call, distinct(received.map(({ nodeId }) => nodeId)));
    const bound = [...serverOf.values()].filter(({ userPlanId }) => userPlanId !== 0n);
    const unlogged = bound.length === 0 ? undefined : await this.#servers.lackingFeature(call, bound, ACCESS_LOG);
    const isNode = call.caller.role === "node";
    const entries: LogEntry[] = [];
    for (const { requestId, serverId, nodeId, log, requestBody } of received) {
      const server = serverOf.get(serverId);
      if (isNode && serverId !== 0n && !wasServed(server, secondsOf(requestId))) continue;
      if (unlogged?.has(serverId) === true) continue;
      const nodeClusterId = nodeOf?.get(nodeId)?.nodeClusterId ?? server?.nodeClusterId ?? 0n;
      entries.push({ requestId, userId: server?.userId ?? 0n, nodeClusterId, log, requestBody });
    }
    return entries;
  }
}
