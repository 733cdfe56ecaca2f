import type { Call, Logger } from "edgehelm";
import { errorText } from "edgehelm/runtime";
import type { NodeConnection } from "./connection.ts";
import type { NodeNews } from "./contract.ts";

export interface NewsPollerDeps {
  readonly log: Logger;
  readonly systemCall: (name: string) => Call;
}

/**
 * Notifies connected nodes of changes that concern them, whichever instance made the changes. It polls for all nodes of
 * this instance together, because each poll is a database query.
 */
export class NewsPoller {
  readonly #news: NodeNews;
  readonly #deps: NewsPollerDeps;
  readonly #connections = new Set<NodeConnection>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #isPolling = false;

  constructor(news: NodeNews, deps: NewsPollerDeps) {
    this.#news = news;
    this.#deps = deps;
  }

  /** Starts to poll for a node. Its current versions are the baseline. */
  async add(call: Call, connection: NodeConnection): Promise<void> {
    await this.#poll(call, [connection]);
    this.#connections.add(connection);
    this.#timer ??= setInterval(() => void this.#pollAll(), this.#news.everyMilliseconds);
  }

  remove(connection: NodeConnection): void {
    this.#connections.delete(connection);
    if (this.#connections.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #pollAll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    const { log, systemCall } = this.#deps;
    try {
      await this.#poll(systemCall("node news"), [...this.#connections]);
    } catch (error) {
      log.warn("node news poll failed", { error: errorText(error) });
    } finally {
      this.#isPolling = false;
    }
  }

  async #poll(call: Call, connections: readonly NodeConnection[]): Promise<void> {
    const nodeIds = [...new Set(connections.map(({ nodeId }) => nodeId))];
    const versions = await this.#news.versions(call, nodeIds);
    for (const connection of connections) {
      const { versions: previous } = connection;
      const current = versions.get(connection.nodeId);
      if (current === undefined) connection.close();
      else if (previous !== undefined) {
        const types = [...current].filter(([type, version]) => previous.get(type) !== version).map(([type]) => type);
        if (types.length > 0) connection.push(this.#news.message(types));
      }
      connection.versions = current;
    }
  }
}
