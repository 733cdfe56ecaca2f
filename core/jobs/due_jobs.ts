import { type JobDeps, Jobs, type OwnedJob } from "./jobs.ts";
import type { KernelTables } from "../storage/kernel_tables.ts";
import { JobRuns } from "./job_runs.ts";
import { Leases } from "./leases.ts";
import type { Db } from "../storage/database.ts";

/**
 * Runs the due jobs that no other instance runs, one after another, and releases their leases. It is for runtimes
 * without background work, where an event triggers it.
 */
export async function runDueJobs(
  jobs: readonly OwnedJob[],
  db: Db<KernelTables>,
  deps: Omit<JobDeps, "leases" | "runs">,
): Promise<void> {
  const runner = new Jobs({
    ...deps,
    leases: new Leases(db, deps.clock, crypto.randomUUID()),
    runs: new JobRuns(db, deps.clock),
  });
  try {
    for (const job of jobs) await runner.runIfDue(job);
  } finally {
    await runner.stop(0);
  }
}
