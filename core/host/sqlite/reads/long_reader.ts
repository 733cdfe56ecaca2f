import { setImmediate } from "node:timers";
import Database from "libsql/promise";
import { MAX_TIMER } from "../../../base/clock.ts";
import { kernelErrors } from "../../../base/errors.ts";
import type { SqlResult, SqlRow, SqlStatement, SqlValue } from "../../../storage/engine.ts";
import type { WorkBound } from "../../../storage/guard/work_bound.ts";
import { resultSize, type ScanResultLimits, shownSql } from "./scan_message.ts";
import { toUnavailable } from "../driver/outage.ts";

/** The limits of a long read. */
export interface LongReadLimits extends ScanResultLimits {
  /** The time in milliseconds after the deadline, until which a read must have ended. */
  readonly hangTime: number;
}

/** A checked read, with its parameters in the form to bind. */
export interface LongRead {
  readonly statement: SqlStatement;
  readonly columns: readonly string[];
  readonly values: readonly SqlValue[];
  readonly bound: WorkBound;
}

/** The used part of the driver's statement. */
interface DriverStatement {
  safeIntegers(): DriverStatement;
  raw(): DriverStatement;
  iterate(values: readonly SqlValue[]): Promise<DriverRows>;
}

/** The used part of the driver's iterator. */
interface DriverRows {
  /** The rows that were fetched and not handed out. */
  nextRows: unknown[];
  next(): { readonly done: boolean; readonly value?: SqlRow };
}

/** A connection that runs one read at a time on a thread of the driver. */
interface Lane {
  readonly database: Database;
  readonly prepared: WeakMap<SqlStatement, DriverStatement>;
  /**
   * The statements and results of this connection. If they were collected while it runs a read, their finalizers would
   * wait for that read, on the event loop.
   */
  readonly kept: object[];
  /** True if no further read may begin, so that everything can be collected. */
  isRetired: boolean;
  /** True while it runs a read: closing it would wait for the read, on the event loop. */
  isBusy: boolean;
}

const PRAGMAS = ["query_only = 1", "wal_autocheckpoint = 0", "cache_size = -16384", "mmap_size = 1073741824"];
/** A read that a thread has not begun is not interrupted, so that the interrupt is repeated. */
const INTERRUPT_MILLISECONDS = 20;
/**
 * The number of statements and results after which a connection is replaced. A closed one stays in memory, with its copy
 * of the schema, until the garbage collector finds it, which it has little reason to do.
 */
const MAX_KEPT = 4000;
/** Takes the place of the rows that a result has handed out. */
const NO_ROWS: unknown[] = [];
/** The time that close() waits for reads that it interrupted. */
const CLOSE_MILLISECONDS = 1000;
/** The rows that are taken over before the event loop turns. */
const ROWS_PER_TURN = 2000;

/**
 * Runs reads outside the event loop, a few at a time, and interrupts them at their deadline. A read-only connection has
 * no transaction that an interrupt could roll back.
 */
export class LongReader {
  readonly #location: string;
  readonly #maximum: number;
  readonly #limits: LongReadLimits;
  readonly #report: (text: string) => void;
  readonly #lanes = new Set<Lane>();
  /** Those that were replaced, because their reads go on after an interrupt, as within a function of SQLite. */
  readonly #hung = new Set<Lane>();
  readonly #idle: Lane[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #running = new Set<Promise<unknown>>();
  #isClosed = false;

  /** @param report called when a connection is replaced because it hangs */
  constructor(location: string, maximum: number, limits: LongReadLimits, report: (text: string) => void) {
    this.#location = location;
    this.#maximum = maximum;
    this.#limits = limits;
    this.#report = report;
  }

  async run(read: LongRead, deadline: number): Promise<SqlResult> {
    const running = this.#run(read, deadline);
    this.#running.add(running);
    try {
      return await running;
    } catch (error) {
      throw this.#isClosed ? closedError() : toUnavailable(error);
    } finally {
      this.#running.delete(running);
    }
  }

  async #run(read: LongRead, deadline: number): Promise<SqlResult> {
    const expiry = Promise.withResolvers<never>();
    // Nothing may be waiting for it when it is rejected.
    expiry.promise.catch(() => {});
    const timer = deadline === Infinity ? undefined : setTimeout(
      () => expiry.reject(kernelErrors.deadline("the read")),
      Math.min(Math.max(0, deadline - Date.now()), MAX_TIMER),
    );
    try {
      const lane = await this.#acquire(expiry.promise);
      return await this.#runOn(lane, read, expiry.promise);
    } finally {
      clearTimeout(timer);
    }
  }

  refresh(): void {
    for (const lane of this.#lanes) lane.isRetired = true;
    for (const lane of this.#idle.splice(0)) this.#close(lane);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const wake of this.#waiting.splice(0)) wake();
    const interrupting = setInterval(() => this.#interruptAll(), INTERRUPT_MILLISECONDS);
    this.#interruptAll();
    // A read that hangs ends with the process.
    const patience = Promise.withResolvers<void>();
    const timer = setTimeout(patience.resolve, CLOSE_MILLISECONDS);
    await Promise.race([Promise.allSettled(this.#running), patience.promise]);
    clearTimeout(timer);
    clearInterval(interrupting);
    for (const lane of this.#lanes) if (!lane.isBusy) this.#close(lane);
  }

  #interruptAll(): void {
    for (const { database } of this.#lanes) database.interrupt();
  }

  async #runOn(lane: Lane, read: LongRead, expiry: Promise<never>): Promise<SqlResult> {
    let hasEnded = false;
    lane.isBusy = true;
    let interrupting: ReturnType<typeof setInterval> | undefined;
    let watching: ReturnType<typeof setTimeout> | undefined;
    const reading = this.#read(lane, read).finally(() => {
      hasEnded = true;
      clearInterval(interrupting);
      clearTimeout(watching);
    });
    this.#running.add(reading);
    // The caller does not wait for this: the connection takes no other read before this one has ended.
    void reading.catch(() => {}).then(() => {
      this.#running.delete(reading);
      this.#release(lane);
    });
    try {
      return await Promise.race([reading, expiry]);
    } catch (error) {
      if (!hasEnded) {
        lane.database.interrupt();
        interrupting = setInterval(() => lane.database.interrupt(), INTERRUPT_MILLISECONDS);
        watching = setTimeout(() => this.#replace(lane, read), this.#limits.hangTime);
      }
      throw error;
    }
  }

  async #read(lane: Lane, { statement, columns, values }: LongRead): Promise<SqlResult> {
    if (this.#isClosed) throw closedError();
    const prepared = lane.prepared.get(statement) ?? await this.#prepare(lane, statement);
    const rows: SqlRow[] = [];
    let bytes = 0;
    let count = 0;
    const found = await prepared.iterate(values);
    lane.kept.push(found);
    // To the end, since an unfinished statement would prevent checkpoints of the write-ahead log.
    for (let next = found.next(); !next.done; next = found.next()) {
      const row = next.value!;
      bytes += resultSize(row);
      count++;
      if (count <= this.#limits.rows && bytes <= this.#limits.bytes) rows.push(row);
      if (count % ROWS_PER_TURN === 0) await new Promise<void>((resolve) => setImmediate(resolve));
    }
    found.nextRows = NO_ROWS;
    if (count > this.#limits.rows) throw tooLarge(`${this.#limits.rows} rows`);
    if (bytes > this.#limits.bytes) throw tooLarge(`${this.#limits.bytes} bytes`);
    return { columns, rows, changes: 0n };
  }

  async #prepare(lane: Lane, statement: SqlStatement): Promise<DriverStatement> {
    const sql = materialized(statement, this.#limits.rows + 1);
    const prepared: DriverStatement = (await lane.database.prepare(sql)).safeIntegers().raw();
    lane.prepared.set(statement, prepared);
    lane.kept.push(prepared);
    return prepared;
  }

  async #acquire(expiry: Promise<never>): Promise<Lane> {
    for (;;) {
      if (this.#isClosed) throw closedError();
      const idle = this.#idle.pop();
      if (idle !== undefined) return idle;
      if (this.#lanes.size < this.#maximum) return await this.#open();
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push(resolve);
      try {
        await Promise.race([promise, expiry]);
      } catch (error) {
        const index = this.#waiting.indexOf(resolve);
        if (index >= 0) this.#waiting.splice(index, 1);
        else this.#waiting.shift()?.();
        throw error;
      }
    }
  }

  async #open(): Promise<Lane> {
    const database = new Database(this.#location, { timeout: 1000 });
    const lane: Lane = { database, prepared: new WeakMap(), kept: [], isRetired: false, isBusy: false };
    this.#lanes.add(lane);
    for (const pragma of PRAGMAS) await lane.database.exec(`pragma ${pragma}`);
    return lane;
  }

  /** Lets another connection take the place of one whose read does not end. */
  #replace(lane: Lane, { statement }: LongRead): void {
    const isReplaced = this.#hung.size < this.#maximum;
    const outcome = isReplaced ? "its connection is replaced" : "too many hang for its connection to be replaced";
    this.#report(`a read goes on although it was interrupted, ${outcome}: ${shownSql(statement.sql)}`);
    if (!isReplaced) return;
    this.#hung.add(lane);
    this.#lanes.delete(lane);
    this.#waiting.shift()?.();
  }

  #release(lane: Lane): void {
    lane.isBusy = false;
    if (this.#hung.delete(lane)) return void release(lane.database);
    if (this.#isClosed || lane.isRetired || lane.kept.length >= MAX_KEPT) this.#close(lane);
    else this.#idle.push(lane);
    this.#waiting.shift()?.();
  }

  #close(lane: Lane): void {
    if (!this.#lanes.delete(lane)) return;
    if (this.#isClosed) lane.database.close();
    else void release(lane.database);
  }
}

/**
 * Closes a connection. SQLite keeps it until its last statement is collected, which may be long after; its pages, the
 * largest part of it, are released at once.
 */
async function release(database: Database): Promise<void> {
  // It is closed all the same if there is no memory to release.
  await database.exec("pragma shrink_memory").catch(() => {});
  database.close();
}

/**
 * Wraps a read so that SQLite does all of its work before it returns the first row. The driver runs only this part
 * outside the event loop; it fetches the rows inside.
 */
function materialized({ sql, firstRow }: SqlStatement, limit: number): string {
  let text = sql.trimEnd();
  while (text.endsWith(";")) text = text.slice(0, -1).trimEnd();
  return `with "read" as materialized (select * from (${text}\n) limit ${firstRow === true ? 1 : limit}) ` +
    `select * from "read"`;
}

function tooLarge(limit: string): Error {
  return kernelErrors.too_large("the result of the read", limit);
}

function closedError(): Error {
  return kernelErrors.unavailable("the database is closed");
}
