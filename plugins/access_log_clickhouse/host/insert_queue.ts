import type { Clock } from "edgehelm";
import { dayOf, type LogEntry } from "../../http_access_log/contract.ts";
import type { ClickHouse } from "./client.ts";
import { isOneOf, literal } from "./conditions.ts";
import { rowOf } from "./rows.ts";
import { LOGS } from "./schema.ts";

/** The maximum size of one insert. Servers perform best with few large inserts, at the cost of latency. */
const MAX_ROWS = 50_000;
const MAX_BYTES = 32 * 1024 * 1024;
const GROUP_MILLISECONDS = 100;
const SECONDS = 30;
/** The lifetime of the cached state of a day, which other instances can change. */
const CACHE_MILLISECONDS = 10_000;
/** Ranks decrease with time. */
const FIRST_RANK = 2n ** 62n;

interface Waiting {
  readonly entries: readonly LogEntry[];
  readonly bytes: number;
  readonly done: PromiseWithResolvers<void>;
}

interface CachedDay {
  part: number;
  rows: number;
  readonly readAt: number;
}

/** Groups waiting logs into sequential inserts, without logs whose request id is already stored. */
export class InsertQueue {
  readonly #server: ClickHouse;
  readonly #ready: () => Promise<void>;
  readonly #clock: Clock;
  readonly #partitionRows: number;
  readonly #days = new Map<bigint, CachedDay>();
  readonly #waiting: Waiting[] = [];
  #working: Promise<void> | undefined;

  constructor(server: ClickHouse, ready: () => Promise<void>, clock: Clock, partitionRows: bigint) {
    this.#server = server;
    this.#ready = ready;
    this.#clock = clock;
    this.#partitionRows = Number(partitionRows);
  }

  append(entries: readonly LogEntry[]): Promise<void> {
    if (entries.length === 0) return Promise.resolve();
    const bytes = entries.reduce((all, { log, requestBody }) => all + log.length + requestBody.length, 0);
    const done = Promise.withResolvers<void>();
    this.#waiting.push({ entries, bytes, done });
    this.#working ??= this.#work();
    return done.promise;
  }

  /** Waits for pending inserts. */
  async settled(): Promise<void> {
    while (this.#working !== undefined) await this.#working;
  }

  /** Drops the cached state of a day. */
  forget(day: bigint): void {
    this.#days.delete(day);
  }

  async #work(): Promise<void> {
    // wait briefly, to group appends
    await new Promise((resolve) => setTimeout(resolve, GROUP_MILLISECONDS));
    while (this.#waiting.length > 0) {
      const group = this.#takeGroup();
      try {
        await this.#ready();
        await this.#insert(group.flatMap(({ entries }) => entries));
        for (const { done } of group) done.resolve();
      } catch (error) {
        this.#days.clear();
        for (const { done } of group) done.reject(error);
      }
    }
    this.#working = undefined;
  }

  #takeGroup(): Waiting[] {
    let [rows, bytes, count] = [0, 0, 0];
    for (const one of this.#waiting) {
      rows += one.entries.length;
      bytes += one.bytes;
      if (count > 0 && (rows > MAX_ROWS || bytes > MAX_BYTES)) break;
      count++;
    }
    return this.#waiting.splice(0, count);
  }

  async #insert(entries: readonly LogEntry[]): Promise<void> {
    const first = new Map<string, LogEntry>();
    for (const entry of entries) if (!first.has(entry.requestId)) first.set(entry.requestId, entry);
    const rank = String(FIRST_RANK - BigInt(this.#clock.now()));
    const rows: object[] = [];
    const grown = new Map<CachedDay, { part: number; rows: number }>();
    for (const [day, entriesOfDay] of Map.groupBy(first.values(), ({ requestId }) => dayOf(requestId))) {
      const stored = await this.#storedIds(day, entriesOfDay.map(({ requestId }) => requestId));
      const cached = await this.#day(day);
      const current = { part: cached.part, rows: cached.rows };
      grown.set(cached, current);
      for (const entry of entriesOfDay) {
        if (stored.has(entry.requestId)) continue;
        if (current.rows >= this.#partitionRows) Object.assign(current, { part: current.part + 1, rows: 0 });
        rows.push(rowOf(entry, { day, part: current.part, rank }));
        current.rows++;
      }
    }
    if (rows.length === 0) return;
    await this.#server.insert(LOGS, rows);
    for (const [cached, current] of grown) Object.assign(cached, current);
  }

  /** Returns those of the request ids that are already stored. */
  async #storedIds(day: bigint, ids: string[]): Promise<Set<string>> {
    ids.sort();
    const [first, last] = [literal(ids[0]!), literal(ids.at(-1)!)];
    const rows = await this.#server.rows<[string]>(
      `select requestId from ${LOGS} where day = ${day} and requestId >= ${first} and requestId <= ${last}
        and ${isOneOf(ids)}`,
      SECONDS,
    );
    return new Set(rows.map(([requestId]) => requestId));
  }

  async #day(day: bigint): Promise<CachedDay> {
    let cached = this.#days.get(day);
    if (cached === undefined || this.#clock.now() - cached.readAt > CACHE_MILLISECONDS) {
      const [last] = await this.#server.rows<[number, string]>(
        `select part, count() from ${LOGS} where day = ${day} group by part order by part desc limit 1`,
        SECONDS,
      );
      cached = { part: last?.[0] ?? 0, rows: Number(last?.[1] ?? 0), readAt: this.#clock.now() };
      this.#days.set(day, cached);
    }
    return cached;
  }
}
