import { type Clock, unixSeconds } from "../../base/clock.ts";
import type { AuditCheck } from "../../calls/audit/audit_check.ts";
import { type AlarmSource, alarmSource } from "../../events/alarm.ts";
import type { Deliveries } from "../../events/deliveries.ts";
import type { JobRuns } from "../../jobs/job_runs.ts";
import { nameOf, type OwnedJob } from "../../jobs/jobs.ts";
import type { Leases } from "../../jobs/leases.ts";
import { auditBreak, eventDelay, jobDelay, jobFailures, pluginFailure } from "./kernel_alarms.ts";

/** The failures in a row that begin an alarm. */
const MAX_FAILURES = 3n;
/** The minimum time for which a job may be due without beginning. */
const MIN_DELAY_MILLISECONDS = 3_600_000;
/** The time for which an event may wait. */
const MAX_WAIT_SECONDS = 300n;

export function auditSource(check: AuditCheck): AlarmSource {
  return alarmSource(auditBreak, async (call) => {
    const { errors = [], verifiedAt = 0 } = await check.load(call) ?? {};
    if (errors.length === 0) return [];
    return [{ subject: "audit", data: { verifiedAt: toSeconds(verifiedAt), errors: errors.length } }];
  });
}

export function jobFailureSource(jobs: readonly OwnedJob[], runs: JobRuns): AlarmSource {
  const names = new Set(jobs.map(nameOf));
  return alarmSource(jobFailures, async (call, begun) => {
    const failing = [...(await runs.all(call)).values()].filter(({ name, failures }) =>
      names.has(name) && (failures >= MAX_FAILURES || failures > 0n && begun.has(name))
    );
    return failing.map(({ name, failures, endedAt }) => ({
      subject: name,
      data: { job: name, failures, endedAt: endedAt / 1000n },
    }));
  });
}

/** @param startedAt when this instance began to run jobs, in unix milliseconds; no job is late because nothing ran */
export function jobDelaySource(
  jobs: readonly OwnedJob[],
  leases: Leases,
  clock: Clock,
  startedAt: number,
): AlarmSource {
  return alarmSource(jobDelay, async (call) => {
    const all = await leases.all(call);
    return jobs.flatMap((job) => {
      const lease = all.get(nameOf(job));
      if (lease === undefined) return [];
      const since = Math.max(Number(lease.dueAt), startedAt);
      if (clock.now() - since < Math.max(MIN_DELAY_MILLISECONDS, job.everySeconds * 1000)) return [];
      return [{ subject: lease.name, data: { job: lease.name, dueAt: lease.dueAt / 1000n } }];
    });
  });
}

export function eventSource(deliveries: Deliveries, clock: Clock): AlarmSource {
  return alarmSource(eventDelay, async (call) => {
    const late = (await deliveries.waiting(call)).filter(({ since }) => unixSeconds(clock) - since >= MAX_WAIT_SECONDS);
    return late.map(({ listener, since }) => ({ subject: listener, data: { listener, waitingSince: since } }));
  });
}

/** @param failed returns the names of the plugins that do not run on this machine */
export function pluginSource(failed: () => readonly string[], machine: string): AlarmSource {
  return alarmSource(pluginFailure, async () => {
    return failed().map((plugin) => ({ subject: plugin, data: { plugin, machine } }));
  });
}

function toSeconds(milliseconds: number): bigint {
  return BigInt(Math.floor(milliseconds / 1000));
}
