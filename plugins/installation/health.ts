import type { InspectedBackups, InspectedFailure, InspectedJob, Inspection } from "edgehelm/runtime";
import { stateOf } from "./jobs.ts";

/** States from the best to the worst. */
const STATES = ["ok", "warn", "bad"] as const;
type HealthState = (typeof STATES)[number];

/** The state of a part of the installation. */
export interface Finding {
  readonly part: "database" | "jobs" | "instances" | "plugins" | "backups" | "audit";
  readonly state: HealthState;
  readonly code: string;
  readonly subject: string;
  readonly message: string;
  readonly advice: string;
}

export interface HealthFacts {
  /** The reason why calls cannot be served; undefined if they can. */
  readonly notReady: string | undefined;
  readonly jobs: readonly InspectedJob[];
  readonly instances: Awaited<ReturnType<Inspection["instances"]>>;
  readonly failedPlugins: readonly InspectedFailure[];
  readonly backups: InspectedBackups | undefined;
  /** The first errors of the audit log; empty if it is whole, undefined before its first verification. */
  readonly auditErrors: readonly string[] | undefined;
  /** The time, in unix milliseconds. */
  readonly now: number;
}

/** A job that failed this often in a row will not mend by itself. */
const BAD_FAILURES = 3n;

/** Returns what is right and wrong, the worst first. */
export function healthOf(facts: HealthFacts): Finding[] {
  const findings = [
    databaseFinding(facts),
    ...pluginFindings(facts),
    ...jobFindings(facts),
    instancesFinding(facts),
    ...backupFindings(facts),
    ...auditFindings(facts),
  ];
  return findings.sort((one, other) => STATES.indexOf(other.state) - STATES.indexOf(one.state));
}

/** Returns the state of the worst finding. */
export function worstOf(findings: readonly Finding[]): HealthState {
  return findings.reduce<HealthState>(
    (worst, { state }) => STATES.indexOf(state) > STATES.indexOf(worst) ? state : worst,
    "ok",
  );
}

function databaseFinding({ notReady }: HealthFacts): Finding {
  if (notReady === undefined) {
    return ok("database", "database_ok", "The database can be read and written.");
  }
  return {
    part: "database",
    state: "bad",
    code: "database_unavailable",
    subject: "",
    message: `The installation cannot serve calls: ${notReady}.`,
    advice:
      "Check the disk space of the database, or the connection to its server. The log of the server has the cause.",
  };
}

function jobFindings({ jobs, now }: HealthFacts): Finding[] {
  const found = jobs.flatMap((job): Finding[] => {
    const { name, last } = job;
    const failures = last?.failures ?? 0n;
    const state = stateOf(job, now);
    if (failures > 0n) {
      return [{
        part: "jobs",
        state: failures >= BAD_FAILURES ? "bad" : "warn",
        code: "job_failed",
        subject: name,
        message: `The job ${name} failed ${failures === 1n ? "once" : `${failures} times in a row`}: ${last!.error}`,
        advice: "Mend the cause, then run the job. It also runs again by itself.",
      }];
    }
    if (state !== "late") return [];
    return [{
      part: "jobs",
      state: "warn",
      code: "job_late",
      subject: name,
      message: `The job ${name} is due, but no instance runs it.`,
      advice: "Check that an instance runs, or on workers that the schedule triggers jobs.",
    }];
  });
  return found.length > 0 ? found : [ok("jobs", "jobs_ok", "All background jobs run without errors.")];
}

function pluginFindings({ failedPlugins }: HealthFacts): Finding[] {
  if (failedPlugins.length === 0) return [ok("plugins", "plugins_ok", "All enabled plugins run.")];
  return failedPlugins.map(({ name, error }) => ({
    part: "plugins",
    state: "bad",
    code: "plugin_failed",
    subject: name,
    message: `The plugin ${name} does not run: ${error}`,
    advice: "Its operations respond with 503, and deletions that it guards are refused. Mend the cause, then restart.",
  }));
}

function backupFindings({ backups }: HealthFacts): Finding[] {
  if (backups === undefined) return [ok("backups", "backups_none", "The installation manifest has no backups.")];
  const { degraded } = backups;
  if (degraded.length === 0) return [ok("backups", "backups_ok", "Backups are made and checked as they are set.")];
  return degraded.map((reason) => ({
    part: "backups",
    state: "warn",
    code: "backups_degraded",
    subject: "",
    message: `Backups need attention: ${reason}`,
    advice: "Check the place of the backups and the jobs kernel.backup and kernel.check_backup, or make a backup now.",
  }));
}

function instancesFinding({ instances }: HealthFacts): Finding {
  const versions = [...new Set(instances.map(({ version }) => version))];
  if (versions.length <= 1) return ok("instances", "instances_ok", "All instances run the same version.");
  return {
    part: "instances",
    state: "warn",
    code: "versions_differ",
    subject: versions.join(", "),
    message: `The instances run different versions: ${versions.join(", ")}.`,
    advice: "Finish the update: restart the instances that run the older version.",
  };
}

function auditFindings({ auditErrors }: HealthFacts): Finding[] {
  if (auditErrors === undefined) return [];
  const [error] = auditErrors;
  if (error === undefined) return [ok("audit", "audit_ok", "The audit log is whole.")];
  return [{
    part: "audit",
    state: "bad",
    code: "audit_broken",
    subject: "",
    message: `The audit log is not whole: ${error}.`,
    advice: "Find out who changed the database. Compare the audit log with a backup and with the heads in the log.",
  }];
}

function ok(part: Finding["part"], code: string, message: string): Finding {
  return { part, state: "ok", code, subject: "", message, advice: "" };
}
