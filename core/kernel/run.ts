import { Authenticator } from "../auth/authenticator.ts";
import { Resealing } from "../auth/resealing/resealing.ts";
import type { Call } from "../base/call.ts";
import type { Clock, Timers } from "../base/clock.ts";
import type { Limits } from "../base/limits.ts";
import { errorText, type Logger } from "../base/log.ts";
import type { Metrics } from "../base/metrics.ts";
import type { Outbound } from "../base/outbound.ts";
import { AuditSums } from "../calls/audit/audit_sums.ts";
import { CallCounts } from "../calls/call_counts.ts";
import { Dispatch } from "../calls/dispatch.ts";
import { Effects } from "../calls/effects.ts";
import { Idempotency } from "../calls/idempotency.ts";
import { PROGRAM_VERSION } from "../base/version.ts";
import { Instances } from "../jobs/instances.ts";
import { JobRuns } from "../jobs/job_runs.ts";
import { type JobDeps, Jobs, type OwnedJob } from "../jobs/jobs.ts";
import { Leases } from "../jobs/leases.ts";
import { Alarms } from "../events/alarms.ts";
import { AlarmWatch } from "./alarms/alarm_watch.ts";
import { auditSource, eventSource, jobDelaySource, jobFailureSource, pluginSource } from "./alarms/alarm_sources.ts";
import { KERNEL_ALARMS } from "./alarms/kernel_alarms.ts";
import type { StorageEngine } from "../storage/engine.ts";
import type { Command } from "../plugin_api/extension_points.ts";
import { type FirstStartOptions, startInstallation } from "./first_start.ts";
import type { CheckedPlugin } from "./check/check.ts";
import { auditCheckJob, auditHeadJob, deliveryJob, kernelJobs } from "./kernel_jobs.ts";
import { NO_HOST_WORK, type OpenHostWork } from "./host_work.ts";
import type { MigratedDatabase } from "./migrate.ts";
import { Readiness } from "./readiness.ts";
import { hiddenValues, sealedColumns } from "./sealed_columns.ts";
import type { SetUpPlugins } from "./setup.ts";
import type { SystemCalls } from "./system_calls.ts";

export interface RunOptions extends FirstStartOptions {
  readonly engine: StorageEngine;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Logger;
  /** The way to other machines. */
  readonly outbound: Outbound;
  readonly metrics: Metrics;
  readonly limits: Limits;
  readonly callMilliseconds: number;
  /** Absent if the installation has no host. */
  readonly hostWork?: OpenHostWork | undefined;
}

/** The parts that serve calls and run jobs. */
export interface RunningInstallation {
  /** Lines for the operator after the first start. They are empty on every other start. */
  readonly notices: readonly string[];
  readonly sums: AuditSums;
  readonly dispatch: Dispatch;
  readonly readiness: Readiness;
  readonly resealing: Resealing;
  readonly jobs: Jobs;
  readonly instances: Instances;
  readonly allJobs: readonly OwnedJob[];
  readonly alarmWatch: AlarmWatch;
  /** The commands of the host's work. */
  readonly hostCommands: readonly Command[];
  /** The dependencies of jobs that run when an event triggers them. */
  readonly jobDeps: Omit<JobDeps, "leases" | "runs">;
  /** The call with which credentials are read. */
  readonly authenticationCall: Call;
}

/**
 * The last phase of a boot: creates the installation on its first start, loads what authentication needs, and creates
 * the parts that serve calls and run jobs.
 *
 * @throws StartupError
 */
export async function runInstallation(
  calls: SystemCalls,
  plugins: readonly CheckedPlugin[],
  { db, state, rotation }: MigratedDatabase,
  {
    registrations,
    inspection,
    audit,
    verification,
    auditCheck,
    events,
    deliveries,
    authentication: { sources, directories, standings, keys, tokens, revocation, ended, failures },
  }: SetUpPlugins,
  options: RunOptions,
): Promise<RunningInstallation> {
  const { engine, clock, timers, log, outbound, metrics, limits, callMilliseconds, migrate } = options;
  const firstCall = calls.system(migrate ? "first start" : "start");
  const notices = await startInstallation(
    firstCall,
    state,
    keys,
    registrations.container,
    options,
    registrations.degradation,
  );
  await revocation.refresh(calls.system("start"));
  await keys.load(calls.system("start"));
  revocation.onIncrease(() => {
    // Another instance may have rotated the installation key.
    rotation.load(calls.system("installation key")).catch((error) =>
      log.error("installation keys not loaded", { error: errorText(error) })
    );
  });

  const sums = new AuditSums(audit.records, { clock, timers, log, systemCall: calls.system });
  const idempotency = new Idempotency(db, clock, rotation.ring);
  const authenticationCall = calls.authentication();
  const authenticator = new Authenticator({
    tokens,
    revocation,
    ended,
    sources,
    directories,
    standings,
    clock,
    systemCall: (deadline) => deadline === undefined ? authenticationCall : calls.authentication(deadline),
  });
  const dispatch = new Dispatch({
    authenticator,
    effects: new Effects(engine, audit, idempotency),
    clock,
    log,
    outbound,
    metrics,
    counts: new CallCounts(limits),
    sums,
    rules: limits,
    callMilliseconds,
  });
  const resealing = new Resealing({
    ...{ db, rotation, clock, log },
    columns: sealedColumns(plugins),
    hidden: () => hiddenValues(engine, plugins),
  });
  const jobDeps = { clock, timers, log, systemCall: calls.system, jobCall: calls.job };
  const instanceId = crypto.randomUUID();
  const self = {
    id: instanceId,
    startedAt: BigInt(Math.floor(clock.now())),
    version: PROGRAM_VERSION,
    runtime: globalThis.navigator?.userAgent ?? "",
  };
  const instances = new Instances(db, self, engine.shared, jobDeps);
  const leases = new Leases(db, clock, instanceId);
  const runs = new JobRuns(db, clock);
  const jobs = new Jobs({ ...jobDeps, leases, runs });
  const hostWork = (options.hostWork ?? NO_HOST_WORK)({
    db,
    keys: () => [rotation.ring.current, ...rotation.ring.earlier],
  });
  await hostWork.load(calls.system("start"));
  await auditCheck.load(calls.system("start"));
  const otherJobs = [
    auditHeadJob(verification, log),
    auditCheckJob(auditCheck),
    deliveryJob(deliveries),
    ...kernelJobs(keys, resealing, [
      idempotency,
      audit,
      deliveries,
      events,
      failures,
      ended,
      ...(engine.shared ? [instances] : []),
    ]),
    ...hostWork.jobs,
    ...registrations.jobs,
  ];
  const alarmWatch = new AlarmWatch({
    alarms: new Alarms(db, events, clock),
    declared: KERNEL_ALARMS,
    sources: [
      auditSource(auditCheck),
      jobFailureSource(otherJobs, runs),
      jobDelaySource(otherJobs, leases, clock, clock.now()),
      eventSource(deliveries, clock),
      pluginSource(() => registrations.degradation.failed.map(({ manifest }) => manifest.name), hostWork.machine),
      ...hostWork.alarms,
    ],
    machine: hostWork.machine,
    ...{ timers, log, systemCall: calls.system },
  });
  const allJobs = [...otherJobs, alarmWatch.job];
  const readiness = new Readiness({
    db,
    engine,
    clock,
    timers,
    log,
    systemCall: calls.system,
    async refresh(call) {
      await auditCheck.load(call);
    },
    degraded: () => [
      ...engine.degraded === undefined ? [] : [engine.degraded],
      ...auditCheck.degraded(),
      ...hostWork.degraded(),
    ],
  });
  inspection.attach({
    ...{ jobs, allJobs, leases, runs, instances },
    notReady: () => readiness.notReady(),
    callsInFlight: () => dispatch.inFlight,
    backups: hostWork.backups,
    systemCall: calls.system,
  });
  return {
    notices,
    sums,
    dispatch,
    readiness,
    resealing,
    jobs,
    instances,
    allJobs,
    alarmWatch,
    jobDeps,
    authenticationCall,
    hostCommands: hostWork.commands,
  };
}
