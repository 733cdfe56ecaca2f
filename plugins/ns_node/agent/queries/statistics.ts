import type { Buffer } from "node:buffer";
import { join } from "node:path";
import type { Api } from "../api.ts";
import type { KnotConfiguration } from "../knot/configuration.ts";
import { errorText, type Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import type { NodeState } from "../store/node_state.ts";
import { type Batch, Batches } from "./batches.ts";
import { ensureModule } from "./knot_module.ts";
import { type Query, queryOf } from "./probe.ts";
import { ProbeReceiver } from "./receiver.ts";
import { Records } from "./record_index.ts";
import { uploadBatch } from "./upload.ts";

/** The dependencies of {@link QueryStatistics}. */
export interface QueryStatisticsDeps {
  /** The directory of the socket at which Knot reports its responses. */
  readonly directory: string;
  readonly stateDirectory: string;
  readonly uploadSeconds: number;
  readonly state: NodeState;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** The time for which counts may be in memory only. */
const FLUSH_MILLISECONDS = 10_000;
/** Queries that wait for the next look at which zones there are. */
const MAX_WAITING = 10_000;

/** Counts the queries that Knot responds to, and uploads the sums. */
export class QueryStatistics {
  readonly #deps: QueryStatisticsDeps;
  readonly #batches: Batches;
  readonly #records: Records;
  readonly #receiver: ProbeReceiver;
  #waiting: Query[] = [];
  #api: Api | undefined;
  #flushTimer: ReturnType<typeof setInterval> | undefined;
  #uploadTimer: ReturnType<typeof setTimeout> | undefined;
  #uploading: Promise<void> = Promise.resolve();
  #isStopped = false;
  /** The last error of the configuration, which is not logged again and again. */
  #error = "";

  constructor(deps: QueryStatisticsDeps) {
    this.#deps = deps;
    // what another node counted is in a directory of its own
    this.#batches = new Batches(join(deps.stateDirectory, "queries", deps.state.positions.nodeId));
    this.#records = new Records(() => deps.state.zones.values());
    this.#receiver = new ProbeReceiver(deps.directory, deps.log, (datagram) => this.#take(datagram));
  }

  /** Begins to receive and to upload. */
  async start(): Promise<void> {
    await this.#round();
    const every = Math.min(FLUSH_MILLISECONDS, this.#deps.uploadSeconds * 1000);
    this.#flushTimer = setInterval(() => void this.#round(), every);
    this.#uploadLater();
  }

  /** Uploads to this address from now on. */
  use(api: Api): void {
    this.#api = api;
  }

  /** Has Knot report queries here. */
  async configure(configuration: KnotConfiguration): Promise<void> {
    try {
      await ensureModule(configuration, this.#deps.directory);
      this.#error = "";
    } catch (error) {
      const text = errorText(error);
      if (text !== this.#error) this.#deps.log.warn("Knot does not report queries", { error: text });
      this.#error = text;
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#flushTimer);
    clearTimeout(this.#uploadTimer);
    await this.#receiver.close();
    this.#countWaiting();
    this.#batches.flush();
    await this.#uploading;
  }

  #take(datagram: Buffer): void {
    const query = queryOf(datagram, Date.now() / 1000);
    if (query === undefined || this.#count(query)) return;
    // Knot refuses what is in no zone; other responses are from zones that just appeared
    if (query.code === "REFUSED") return;
    if (this.#waiting.length < MAX_WAITING) this.#waiting.push(query);
    else this.#deps.metrics.add("lost_queries");
  }

  /** Counts a query; returns false if it is about no domain that is known. */
  #count({ name, type, code, bytes, at }: Query): boolean {
    const zone = this.#records.zoneOf(name);
    if (zone === undefined) return false;
    const nsRecordIds = code === "NOERROR" ? this.#records.recordsOf(zone, name, type) : [];
    const isCounted = this.#batches.counts.add({ nsDomainId: zone.id, nsRecordIds, type, code, bytes, at });
    this.#deps.metrics.add(isCounted ? "queries" : "lost_queries");
    return true;
  }

  #countWaiting(): void {
    this.#records.refresh();
    // what is still in no zone is of zones that are not from this agent
    for (const query of this.#waiting.splice(0)) this.#count(query);
  }

  async #round(): Promise<void> {
    try {
      this.#countWaiting();
      this.#batches.flush();
      await this.#receiver.listen();
    } catch (error) {
      this.#deps.log.warn("queries are not counted", { error: errorText(error) });
    }
  }

  /** Uploads after a pause with a random part, so that nodes do not do it all at once. */
  #uploadLater(): void {
    const pause = this.#deps.uploadSeconds * 1000 * (0.75 + Math.random() / 2);
    this.#uploadTimer = setTimeout(() => {
      this.#uploading = this.#upload();
      void this.#uploading.then(() => this.#isStopped || this.#uploadLater());
    }, pause);
  }

  async #upload(): Promise<void> {
    const { log, metrics } = this.#deps;
    if (this.#api === undefined || this.#api.signal.aborted) return;
    try {
      this.#countWaiting();
      // the one that waited, and what was counted since
      for (let round = 0; round < 2; round++) {
        const batch = this.#batches.next();
        if (batch === undefined) return;
        const refused = await uploadBatch(this.#api, batch);
        if (refused !== undefined) {
          log.warn("queries were refused", { error: errorText(refused) });
          metrics.add("lost_queries", numberOf(batch));
        }
        this.#batches.remove(batch);
        metrics.add("uploads");
      }
    } catch (error) {
      if (!this.#api.signal.aborted) log.warn("queries were not uploaded", { error: errorText(error) });
    }
  }
}

function numberOf({ sums }: Batch): number {
  return sums.domains.reduce((sum, domain) => sum + domain[4], 0);
}
