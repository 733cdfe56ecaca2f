import type { Call } from "../base/call.ts";
import { errorText, type Logger } from "../base/log.ts";
import type { NodeConnection } from "./node_stream.ts";
import type { NodeNews } from "./node_streams.ts";

export interface NewsWatchDeps {
  readonly log: Logger;
  readonly systemCall: (name: string) => Call;
}

/**
 * Tells connected nodes when there is something new for them, on whatever instance that came about. It looks for all
 * nodes of this instance at once, since each look is a question to the database.
 */
export class NewsWatch {
  readonly #news: NodeNews;
  readonly #deps: NewsWatchDeps;
  readonly #connections = new Set<NodeConnection>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #isLooking = false;

  constructor(news: NodeNews, deps: NewsWatchDeps) {
    this.#news = news;
    this.#deps = deps;
  }

  /** What the node knows when it connects is not news. */
  async add(call: Call, connection: NodeConnection): Promise<void> {
    await this.#look(call, [connection]);
    this.#connections.add(connection);
    this.#timer ??= setInterval(() => void this.#lookAtAll(), this.#news.everyMilliseconds);
  }

  remove(connection: NodeConnection): void {
    this.#connections.delete(connection);
    if (this.#connections.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  async #lookAtAll(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const { log, systemCall } = this.#deps;
    try {
      await this.#look(systemCall("node news"), [...this.#connections]);
    } catch (error) {
      log.warn("news of nodes cannot be looked up", { error: errorText(error) });
    } finally {
      this.#isLooking = false;
    }
  }

  async #look(call: Call, connections: readonly NodeConnection[]): Promise<void> {
    const nodeIds = [...new Set(connections.map(({ nodeId }) => nodeId))];
    const versions = await this.#news.versions(call, nodeIds);
    for (const connection of connections) {
      const { versions: known } = connection;
      const current = versions.get(connection.nodeId);
      if (current === undefined) connection.close();
      else if (known !== undefined) {
        const types = [...current].filter(([type, version]) => known.get(type) !== version).map(([type]) => type);
        if (types.length > 0) connection.push(this.#news.message(types));
      }
      connection.versions = current;
    }
  }
}
