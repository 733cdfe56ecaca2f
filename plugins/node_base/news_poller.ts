import type { Call, Logger } from "edgehelm";
import { errorText } from "edgehelm/runtime";
import type { NodeConnection } from "./connection.ts";
import type { NodeNews } from "./contract.ts";

export interface NewsPollerDeps {
  readonly log: Logger;
  readonly systemCall: (name: string) => Call;
}

/** The shortest time between polls: many changes in a row are one poll. */
const MIN_PAUSE_MILLISECONDS = 20;
/** The pause after a poll, in multiples of the time that it took, so that polls leave the instance to its other work. */
const PAUSE_FACTOR = 4;

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
  #isWoken = false;
  /** True once changes wake this: in setup, not all plugins have contributed what changes. */
  #isWatching = false;
  /** The time before which no poll begins after a change, by `performance.now()`. */
  #restsUntil = 0;
  #wakeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(news: NodeNews, deps: NewsPollerDeps) {
    this.#news = news;
    this.#deps = deps;
  }

  /** Starts to poll for a node. Its current versions are the baseline. */
  async add(call: Call, connection: NodeConnection): Promise<void> {
    await this.#poll(call, [connection]);
    this.#connections.add(connection);
    if (!this.#isWatching) this.#news.onChange?.(() => this.#wake());
    this.#isWatching = true;
    this.#timer ??= setInterval(() => void this.#pollAll(), this.#news.everyMilliseconds);
    // the change may have come while the baseline was read
    this.#wake();
  }

  remove(connection: NodeConnection): void {
    this.#connections.delete(connection);
    if (this.#connections.size > 0) return;
    clearInterval(this.#timer);
    clearTimeout(this.#wakeTimer);
    this.#timer = this.#wakeTimer = undefined;
  }

  /** Polls soon: a change was committed. */
  #wake(): void {
    // a poll that runs may have read what was there before the change
    this.#isWoken = this.#isPolling;
    if (this.#isPolling || this.#timer === undefined || this.#wakeTimer !== undefined) return;
    this.#wakeTimer = setTimeout(() => {
      this.#wakeTimer = undefined;
      void this.#pollAll();
    }, Math.max(0, this.#restsUntil - performance.now()));
  }

  async #pollAll(): Promise<void> {
    if (this.#isPolling) return;
    this.#isPolling = true;
    const begin = performance.now();
    const { log, systemCall } = this.#deps;
    try {
      await this.#poll(systemCall("node news"), [...this.#connections]);
    } catch (error) {
      log.warn("node news poll failed", { error: errorText(error) });
    } finally {
      this.#isPolling = false;
      const end = performance.now();
      this.#restsUntil = end + Math.max(MIN_PAUSE_MILLISECONDS, PAUSE_FACTOR * (end - begin));
      if (this.#isWoken) this.#wake();
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
