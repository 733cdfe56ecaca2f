import { callPath } from "../../shell/call.ts";

export const HEALTH = "InstallationService/checkInstallationHealth";
export const FIND = "InstallationService/findInstallation";
export const PLUGINS = "InstallationService/findAllInstallationPlugins";
export const SETTINGS = "InstallationService/findInstallationPluginSettings";
export const JOBS = "InstallationService/findAllInstallationJobs";
export const RUN = "InstallationService/runInstallationJob";

export const BACKUPS = "InstallationService/findAllInstallationBackups";
export const MAKE_BACKUP = "InstallationService/makeInstallationBackup";
export const CHECK_BACKUP = "InstallationService/checkInstallationBackup";
export const AUDIT = "InstallationService/findInstallationAudit";
export const VERIFY = "InstallationService/verifyInstallationAudit";

export type HealthState = "ok" | "warn" | "bad";

export interface Finding {
  readonly part: "database" | "jobs" | "instances" | "plugins" | "backups" | "audit";
  readonly state: HealthState;
  readonly code: string;
  readonly subject: string;
  readonly message: string;
  readonly advice: string;
}

export interface Health {
  readonly state: HealthState;
  readonly findings: readonly Finding[];
  readonly callsInFlight: number;
}

export interface Instance {
  readonly id: string;
  readonly version: string;
  readonly runtime: string;
  readonly startedAt: bigint;
  readonly seenAt: bigint;
}

export interface Installation {
  readonly version: string;
  readonly kernelVersion: string;
  readonly timeZone: string;
  readonly instanceId: string;
  readonly instances: readonly Instance[];
}

export interface PluginInfo {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly services: readonly string[];
  readonly countOperations: number;
  readonly countJobs: number;
  readonly modules: readonly string[];
  readonly uses: readonly string[];
  readonly countSettings: number;
  readonly needsMachine: boolean;
}

export interface Setting {
  readonly name: string;
  /** JSON; empty if it is not set. */
  readonly value: string;
  readonly description: string;
  /** The full name of its field, by which its description is found in the language of the reader. */
  readonly fullName: string;
}

export interface JobInfo {
  readonly name: string;
  readonly pluginName: string;
  readonly everySeconds: number;
  readonly state: "never" | "ok" | "failed" | "late" | "running";
  readonly startedAt: bigint;
  readonly durationMilliseconds: bigint;
  readonly error: string;
  readonly countFailures: number;
  readonly dueAt: bigint;
}

export interface JobResult {
  readonly result: "ok" | "failed" | "running" | "elsewhere";
  readonly error: string;
  readonly durationMilliseconds: bigint;
}

export interface Backup {
  readonly name: string;
  readonly madeAt: bigint;
  readonly bytes: bigint;
  readonly countRows: bigint;
  readonly checkState: "never" | "ok" | "failed";
  readonly checkedAt: bigint;
  readonly checkError: string;
}

export interface Backups {
  readonly isConfigured: boolean;
  readonly place: string;
  readonly everyHours: number;
  readonly maxAgeHours: number;
  readonly checkDays: number;
  readonly isBusy: boolean;
  readonly installationBackups: readonly Backup[];
}

export interface BackupResult {
  readonly result: "ok" | "failed" | "running";
  readonly error: string;
}

export async function loadBackups(signal?: AbortSignal): Promise<Backups> {
  return await callPath(BACKUPS, {}, signal) as unknown as Backups;
}

export async function makeBackup(): Promise<BackupResult> {
  return await callPath(MAKE_BACKUP, {}) as unknown as BackupResult;
}

export async function checkBackup(name: string): Promise<BackupResult> {
  return await callPath(CHECK_BACKUP, { name }) as unknown as BackupResult;
}

export interface AuditState {
  readonly state: "never" | "ok" | "broken";
  readonly verifiedAt: bigint;
  readonly countRecords: bigint;
  readonly errors: readonly string[];
}

export async function loadAuditState(signal?: AbortSignal): Promise<AuditState> {
  return (await callPath(AUDIT, {}, signal))["audit"] as AuditState;
}

/** Verifies the audit log, and returns how that went. */
export async function verifyAudit(): Promise<JobResult> {
  return await callPath(VERIFY, {}) as unknown as JobResult;
}

export async function loadHealth(signal?: AbortSignal): Promise<Health> {
  return await callPath(HEALTH, {}, signal) as unknown as Health;
}

export async function loadInstallation(signal?: AbortSignal): Promise<Installation> {
  return await callPath(FIND, {}, signal) as unknown as Installation;
}

export async function loadPlugins(signal?: AbortSignal): Promise<readonly PluginInfo[]> {
  return (await callPath(PLUGINS, {}, signal))["installationPlugins"] as readonly PluginInfo[];
}

export async function loadSettings(pluginName: string, signal?: AbortSignal): Promise<readonly Setting[]> {
  return (await callPath(SETTINGS, { pluginName }, signal))["settings"] as readonly Setting[];
}

export async function loadJobs(signal?: AbortSignal): Promise<readonly JobInfo[]> {
  return (await callPath(JOBS, {}, signal))["installationJobs"] as readonly JobInfo[];
}

export async function runJob(jobName: string): Promise<JobResult> {
  return await callPath(RUN, { jobName }) as unknown as JobResult;
}
