import type { InspectedJob } from "edgehelm/runtime";

export type JobState = "never" | "ok" | "failed" | "late" | "running";

/** An instance polls jobs at least this often; its lease ends after two and a half polls. */
const POLL_MILLISECONDS = 60_000;
const LATE_POLLS = 5;

/** Returns the state of a job in one word. */
export function stateOf(job: InspectedJob, now: number): JobState {
  if (job.isRunning) return "running";
  if ((job.last?.failures ?? 0n) > 0n) return "failed";
  if (isLate(job, now)) return "late";
  return job.last === undefined ? "never" : "ok";
}

/** True if a job is due for so long that no instance can be about to begin it. One that is being run is not late. */
function isLate({ lease, everySeconds }: InspectedJob, now: number): boolean {
  if (lease === undefined || lease.dueAt === 0n || Number(lease.expiresAt) > now) return false;
  return now - Number(lease.dueAt) > Math.max(POLL_MILLISECONDS, everySeconds * 1000) + LATE_POLLS * POLL_MILLISECONDS;
}

export function jobMessage(job: InspectedJob, now: number) {
  const { name, owner, everySeconds, last, lease } = job;
  return {
    name,
    pluginName: owner,
    everySeconds,
    state: stateOf(job, now),
    startedAt: seconds(last?.startedAt ?? 0n),
    durationMilliseconds: last === undefined ? 0n : last.endedAt - last.startedAt,
    error: last?.error ?? "",
    countFailures: Number(last?.failures ?? 0n),
    dueAt: seconds(lease?.dueAt ?? 0n),
    instanceId: lease !== undefined && Number(lease.expiresAt) > now ? lease.holder : "",
  };
}

/** Converts unix milliseconds to unix seconds. */
export function seconds(milliseconds: bigint): bigint {
  return milliseconds / 1000n;
}
