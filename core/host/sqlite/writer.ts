import { setImmediate } from "node:timers";
import { kernelErrors } from "../../base/errors.ts";
import type { MigrationSession, Session } from "../../storage/engine.ts";
import type { Connection } from "./connection.ts";
import { outageOf, unavailable } from "./outage.ts";
import { rollBack, WriteGroup, type WriteJob } from "./write_group.ts";
import { LocalMigrationSession } from "./write_session.ts";

/** How much may share one commit, and how long one job may take. */
export interface WriterLimits {
  /** Jobs in one group; 1 gives each write a commit of its own. */
  readonly groupJobs: number;
  /** Milliseconds after which a group takes no further job. */
  readonly groupTime: number;
  /** Milliseconds after which a job that has not finished is undone. */
  readonly jobTime: number;
}

export const WRITER_LIMITS: WriterLimits = { groupJobs: 256, groupTime: 20, jobTime: 5000 };

interface Waiting extends WriteJob {
  /** A migration, which shares its transaction with nobody. */
  readonly migration?: (session: MigrationSession) => Promise<unknown>;
}

/** The one place that writes: jobs wait in line and share commits. */
export class Writer {
  readonly #connection: Connection;
  readonly #limits: WriterLimits;
  readonly #beforeCommit: () => void;
  #waiting: Waiting[] = [];
  #draining = false;
  #closing = false;
  #whenIdle: () => void = () => {};
  #commits = 0;
  #jobs = 0;

  /** @param beforeCommit told in the turn of every commit, just before it */
  constructor(connection: Connection, limits: WriterLimits = WRITER_LIMITS, beforeCommit: () => void = () => {}) {
    this.#connection = connection;
    this.#limits = limits;
    this.#beforeCommit = beforeCommit;
  }

  /** Commits so far. */
  get commits(): number {
    return this.#commits;
  }

  /** Jobs that took part in those commits, undone ones included. */
  get jobs(): number {
    return this.#jobs;
  }

  /** Jobs that wait for their turn. */
  get waiting(): number {
    return this.#waiting.length;
  }

  write<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#enqueue({ work, resolve: resolve as WriteJob["resolve"], reject });
    });
  }

  migrate<Result>(migration: (session: MigrationSession) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#enqueue({ migration, work: async () => {}, resolve: resolve as WriteJob["resolve"], reject });
    });
  }

  /** Takes nothing more, and waits for what waits, at most so many milliseconds. */
  async close(limit: number): Promise<void> {
    this.#closing = true;
    if (!this.#draining) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, limit);
    this.#whenIdle = resolve;
    await promise;
    clearTimeout(timer);
    for (const { reject } of this.#waiting.splice(0)) reject(closed());
  }

  #enqueue(job: Waiting): void {
    if (this.#closing) return job.reject(closed());
    this.#waiting.push(job);
    if (this.#draining) return;
    this.#draining = true;
    this.#schedule();
  }

  /** On the next macrotask, so that what arrives in one turn shares a commit. */
  #schedule(): void {
    setImmediate(() => void this.#drain());
  }

  async #drain(): Promise<void> {
    const [first] = this.#waiting;
    if (first?.migration === undefined) await this.#runGroup();
    else await this.#runMigration(first, first.migration);
    if (this.#waiting.length > 0) return this.#schedule();
    this.#draining = false;
    this.#whenIdle();
  }

  async #runGroup(): Promise<void> {
    const group = new WriteGroup(this.#connection, this.#limits.jobTime);
    const started = performance.now();
    try {
      group.begin();
      for (let job = this.#nextOf(group, started); job !== undefined; job = this.#nextOf(group, started)) {
        await group.run(job);
      }
      this.#beforeCommit();
      group.commit();
      this.#commits++;
      this.#jobs += group.size;
    } catch (error) {
      // if it could not even begin, whoever waits would only find the same out later
      if (group.size === 0) this.#refuseWaiting(error);
      else group.fail(error);
    }
  }

  #refuseWaiting(cause: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) reject(unavailable("the database cannot begin to write", cause));
  }

  #nextOf(group: WriteGroup, started: number): WriteJob | undefined {
    const isFull = group.size >= this.#limits.groupJobs || performance.now() - started > this.#limits.groupTime;
    if (group.size > 0 && isFull) return undefined;
    return this.#waiting[0]?.migration === undefined ? this.#waiting.shift() : undefined;
  }

  async #runMigration(job: Waiting, migration: (session: MigrationSession) => Promise<unknown>): Promise<void> {
    this.#waiting.shift();
    const session = new LocalMigrationSession(this.#connection);
    try {
      rollBack(this.#connection);
      this.#connection.exec("begin immediate");
      this.#connection.mode = "migration";
      const result = await migration(session);
      session.end();
      this.#beforeCommit();
      this.#connection.exec("commit");
      job.resolve(result);
    } catch (error) {
      job.reject(outageOf(error));
      rollBack(this.#connection);
    } finally {
      session.end();
      this.#connection.mode = "rows";
      this.#connection.refresh();
    }
  }
}

function closed(): Error {
  return kernelErrors.unavailable("the database is closed");
}
