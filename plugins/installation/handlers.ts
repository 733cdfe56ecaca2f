import { type Clock, type Handlers, kernelErrors, pageOf, textField } from "edgehelm";
import { type AuditLog, type Inspection, PROGRAM_VERSION, type ServedApi, type Timers } from "edgehelm/runtime";
import { auditMessage, auditRecordsFilter, recordMessage } from "./audit.ts";
import { checkBackup, findBackups, makeBackup } from "./backups.ts";
import { healthOf, worstOf } from "./health.ts";
import { jobMessage, seconds } from "./jobs.ts";
import type { InstallationService } from "./proto/service_installation_pb.ts";
import { runJob } from "./run_job.ts";

export interface HandlerDeps {
  readonly inspection: Inspection;
  readonly api: ServedApi;
  readonly auditLog: AuditLog;
  readonly clock: Clock;
  readonly timers: Timers;
}

const MAX_NAME = 200;
const MAX_RECORDS = 100n;

export function installationHandlers(deps: HandlerDeps): Handlers<typeof InstallationService> {
  const { inspection, api, auditLog, clock } = deps;
  return {
    async findInstallation(_request, call) {
      const instances = await inspection.instances(call);
      return {
        version: PROGRAM_VERSION,
        kernelVersion: inspection.kernelVersion,
        timeZone: clock.timeZone ?? "UTC",
        instanceId: inspection.instanceId,
        instances: instances.map(({ startedAt, seenAt, ...instance }) => ({
          ...instance,
          startedAt: seconds(startedAt),
          seenAt: seconds(seenAt),
        })),
      };
    },
    async checkInstallationHealth(_request, call) {
      const findings = healthOf({
        notReady: await inspection.notReady(),
        jobs: await inspection.jobs(call),
        instances: await inspection.instances(call),
        failedPlugins: inspection.failedPlugins(),
        backups: inspection.backups,
        auditErrors: (await auditLog.lastVerification(call))?.errors,
        now: clock.now(),
      });
      return { state: worstOf(findings), findings, callsInFlight: inspection.callsInFlight };
    },
    async findAllInstallationPlugins(_request, call) {
      const jobs = await inspection.jobs(call);
      const installationPlugins = inspection.plugins().map((plugin) => ({
        name: plugin.name,
        version: plugin.version,
        description: plugin.description,
        services: [...plugin.services],
        countOperations: plugin.operations,
        countJobs: jobs.filter(({ owner }) => owner === plugin.name).length,
        modules: [...plugin.modules],
        uses: [...plugin.uses],
        countSettings: plugin.settings.length,
        needsMachine: plugin.hasHost,
      })).sort((one, other) => one.name < other.name ? -1 : 1);
      return { installationPlugins };
    },
    async findInstallationPluginSettings({ pluginName }) {
      const name = textField("pluginName", pluginName, { min: 1, max: MAX_NAME });
      const plugin = inspection.plugins().find((candidate) => candidate.name === name);
      if (plugin === undefined) throw kernelErrors.not_found(`the plugin "${name}"`);
      const comments = await api.comments();
      return {
        settings: plugin.settings.map(({ name, typeName, value }) => ({
          name,
          value: value === undefined ? "" : JSON.stringify(value),
          description: comments[typeName] ?? "",
          fullName: typeName,
        })),
      };
    },
    async findAllInstallationJobs(_request, call) {
      const now = clock.now();
      return { installationJobs: (await inspection.jobs(call)).map((job) => jobMessage(job, now)) };
    },
    async findInstallationAudit(_request, call) {
      return { audit: await auditMessage(auditLog, call) };
    },
    async verifyInstallationAudit(_request, call) {
      const { result, error } = await runJob("kernel.verify_audit", call, deps);
      return { result, error, audit: await auditMessage(auditLog, call) };
    },
    async findInstallationAuditRecords(request, call) {
      const page = pageOf(request, { maxSize: MAX_RECORDS });
      const records = await auditLog.page(call, auditRecordsFilter(request), page);
      return { records: records.map(recordMessage) };
    },
    async runInstallationJob({ jobName }, call) {
      const name = textField("jobName", jobName, { min: 1, max: MAX_NAME });
      const jobs = await inspection.jobs(call);
      if (!jobs.some((job) => job.name === name)) throw kernelErrors.not_found(`the job "${name}"`);
      return await runJob(name, call, deps);
    },
    findAllInstallationBackups: (_request, call) => findBackups(call, inspection),
    makeInstallationBackup: (_request, call) => makeBackup(call, deps),
    checkInstallationBackup: ({ name }, call) =>
      checkBackup(textField("name", name, { min: 0, max: MAX_NAME }), call, deps),
  };
}
