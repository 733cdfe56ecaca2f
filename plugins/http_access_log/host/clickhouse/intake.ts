import type { Clock } from "edgehelm";
import type { LogEntry } from "../../log_store.ts";
import { dayOf } from "../../request_id.ts";
import type { ClickHouse } from "./client.ts";
import { isOneOf, literal } from "./conditions.ts";
import { rowOf } from "./rows.ts";
import { LOGS } from "./schema.ts";

/** How much one insert takes: servers like few large ones, whoever waits likes them soon. */
const MAX_ROWS = 50_000;
const MAX_BYTES = 32 * 1024 * 1024;
const GROUP_MILLISECONDS = 100;
const SECONDS = 30;
/** Other instances write too, so what is known of a day is asked again after so long. */
const KNOWN_MILLISECONDS = 10_000;
/** Ranks go down as time goes on. */
const FIRST_RANK = 2n ** 62n;

interface Waiting {
  readonly entries: readonly LogEntry[];
  readonly bytes: number;
  readonly done: PromiseWithResolvers<void>;
}

interface KnownDay {
  part: number;
  rows: number;
  readonly askedAt: number;
}

/** Takes logs in: what waits goes into one insert, one after the other, and a request that is there is left out. */
export class Intake {
  readonly #server: ClickHouse;
  readonly #ready: () => Promise<void>;
  readonly #clock: Clock;
  readonly #partitionRows: number;
  readonly #days = new Map<bigint, KnownDay>();
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

  /** Waits for what is on its way. */
  async settled(): Promise<void> {
    while (this.#working !== undefined) await this.#working;
  }

  /** What is known of a day's partitions is not so any more. */
  forget(day: bigint): void {
    this.#days.delete(day);
  }

  async #work(): Promise<void> {
    // with what comes within a moment
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
    const grown = new Map<KnownDay, { part: number; rows: number }>();
    for (const [day, some] of Map.groupBy(first.values(), ({ requestId }) => dayOf(requestId))) {
      const there = await this.#there(day, some.map(({ requestId }) => requestId));
      const known = await this.#day(day);
      const now = { part: known.part, rows: known.rows };
      grown.set(known, now);
      for (const entry of some) {
        if (there.has(entry.requestId)) continue;
        if (now.rows >= this.#partitionRows) Object.assign(now, { part: now.part + 1, rows: 0 });
        rows.push(rowOf(entry, { day, part: now.part, rank }));
        now.rows++;
      }
    }
    if (rows.length === 0) return;
    await this.#server.insert(LOGS, rows);
    for (const [known, now] of grown) Object.assign(known, now);
  }

  /** Which of these requests are kept already. */
  async #there(day: bigint, ids: string[]): Promise<Set<string>> {
    ids.sort();
    const [least, most] = [literal(ids[0]!), literal(ids.at(-1)!)];
    const rows = await this.#server.rows<[string]>(
      `select requestId from ${LOGS} where day = ${day} and requestId >= ${least} and requestId <= ${most}
        and ${isOneOf(ids)}`,
      SECONDS,
    );
    return new Set(rows.map(([requestId]) => requestId));
  }

  async #day(day: bigint): Promise<KnownDay> {
    let known = this.#days.get(day);
    if (known === undefined || this.#clock.now() - known.askedAt > KNOWN_MILLISECONDS) {
      const [last] = await this.#server.rows<[number, string]>(
        `select part, count() from ${LOGS} where day = ${day} group by part order by part desc limit 1`,
        SECONDS,
      );
      known = { part: last?.[0] ?? 0, rows: Number(last?.[1] ?? 0), askedAt: this.#clock.now() };
      this.#days.set(day, known);
    }
    return known;
  }
}
