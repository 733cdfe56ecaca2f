import { sql } from "kysely";
import type { Call } from "../base/call.ts";
import type { Clock } from "../base/clock.ts";
import type { KernelTables } from "../storage/kernel_tables.ts";
import type { Db } from "../storage/database.ts";

/** The last recorded run of a job. Times are unix milliseconds. */
export interface JobRunRecord {
  readonly name: string;
  readonly startedAt: bigint;
  readonly endedAt: bigint;
  /** The reason why it failed; null if it did not. */
  readonly error: string | null;
  /** The number of runs in a row that failed, this one included. */
  readonly failures: bigint;
}

/** Describes a run that has ended. */
export interface EndedRun {
  readonly name: string;
  readonly startedAt: number;
  readonly error: string | undefined;
  /** True if a person asked for it, who waits for the record. */
  readonly isRequested: boolean;
}

/** The interval at which quick runs without an error are recorded: most jobs run every few seconds and find nothing. */
const RECORD_MILLISECONDS = 60_000;
const LONG_MILLISECONDS = 1000;
const MAX_ERROR = 500;

/** Records how the last run of each job ended, for people. What says nothing new is not written. */
export class JobRuns {
  readonly #clock: Clock;
  readonly #upsert;
  readonly #all;
  readonly #recorded = new Map<string, { readonly at: number; readonly isFailed: boolean }>();

  constructor(db: Db<KernelTables>, clock: Clock) {
    this.#clock = clock;
    this.#upsert = db.query((q, p: JobRunRecord) =>
      q.insertInto("kernel_job_runs").values({
        name: p.name,
        startedAt: p.startedAt,
        endedAt: p.endedAt,
        error: p.error,
        failures: p.failures,
      }).onConflict((conflict) =>
        conflict.column("name").doUpdateSet({
          startedAt: p.startedAt,
          endedAt: p.endedAt,
          error: p.error,
          failures: sql<bigint>`excluded.failures * (kernel_job_runs.failures + 1)`,
        })
      )
    );
    this.#all = db.query((q) => q.selectFrom("kernel_job_runs").selectAll());
  }

  /** Returns the recorded runs by the names of their jobs. */
  async all(call: Call): Promise<ReadonlyMap<string, JobRunRecord>> {
    return new Map((await this.#all.all(call, {})).map((row) => [row.name, row]));
  }

  /** True if the run says something that is not recorded yet. */
  isNews({ name, startedAt, error, isRequested }: EndedRun): boolean {
    const last = this.#recorded.get(name);
    const now = this.#clock.now();
    return isRequested || error !== undefined || last === undefined || last.isFailed ||
      now - startedAt >= LONG_MILLISECONDS || now - last.at >= RECORD_MILLISECONDS;
  }

  async record(call: Call, { name, startedAt, error }: EndedRun): Promise<void> {
    const isFailed = error !== undefined;
    await this.#upsert.run(call, {
      name,
      startedAt: BigInt(Math.floor(startedAt)),
      endedAt: BigInt(Math.floor(this.#clock.now())),
      error: error?.slice(0, MAX_ERROR) ?? null,
      failures: isFailed ? 1n : 0n,
    });
    this.#recorded.set(name, { at: this.#clock.now(), isFailed });
  }
}
