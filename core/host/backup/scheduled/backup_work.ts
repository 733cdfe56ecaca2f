import type { Call } from "../../../base/call.ts";
import type { Clock } from "../../../base/clock.ts";
import { kernelErrors } from "../../../base/errors.ts";
import type { Logger } from "../../../base/log.ts";
import type { Metrics } from "../../../base/metrics.ts";
import { StartupError } from "../../../base/startup_error.ts";
import { type HostBackups, NO_HOST_WORK, type OpenHostWork } from "../../../kernel/host_work.ts";
import type { Command } from "../../../plugin_api/extension_points.ts";
import { requireLocalPath } from "../../settings/database_path.ts";
import { sizeText } from "../../settings/files.ts";
import type { BackupSettings } from "../../settings/backup_settings.ts";
import type { Settings } from "../../settings/settings.ts";
import { openStore } from "../stores/open_store.ts";
import { backupSources } from "./backup_alarms.ts";
import { type BackupRecord, BackupRecords } from "./records.ts";
import { ScheduledBackups } from "./scheduled_backups.ts";

/** The interval at which it is decided if a backup is due; also that of new attempts after an error. */
const MAKE_SECONDS = 600;
const CHECK_SECONDS = 3600;

/**
 * Returns the work of a host that makes the backups of its settings.
 *
 * @throws StartupError if the database is remote
 */
export function backupWork(settings: Settings, clock: Clock, log: Logger, metrics: Metrics): OpenHostWork {
  const { backup } = settings;
  if (backup === undefined) {
    return (parts) => ({ ...NO_HOST_WORK(parts), commands: commandsOf(undefined, settings.manifestPath) });
  }
  const database = requireLocalPath(settings);
  return ({ db, keys }) => {
    const records = new BackupRecords(db);
    const deps = { records, store: openStore(backup.place), settings: backup, database, keys, clock, log };
    const backups = new ScheduledBackups(deps);
    exportMetrics(backups, metrics);
    return {
      ...NO_HOST_WORK({ db, keys }),
      jobs: [
        { owner: "kernel", name: "backup", everySeconds: MAKE_SECONDS, run: (call) => backups.makeIfDue(call) },
        { owner: "kernel", name: "check_backup", everySeconds: CHECK_SECONDS, run: (call) => backups.checkIfDue(call) },
      ],
      commands: commandsOf(backups, settings.manifestPath),
      load: (call) => backups.load(call),
      alarms: backupSources(backups, deps.store.place, backup.maxAgeHours),
      degraded: () => backups.degraded(),
      backups: administered(backups, backup),
    };
  };
}

function administered(backups: ScheduledBackups, settings: BackupSettings): HostBackups {
  const { place, everyHours, maxAgeHours, checkDays } = settings;
  return {
    ...{ place: openStore(place).place, everyHours, maxAgeHours, checkDays },
    get isBusy() {
      return backups.isBusy;
    },
    async list(call) {
      await backups.load(call);
      return backups.known;
    },
    make: (call) => backups.make(call),
    check: (call, name) => backups.check(call, name),
    degraded: () => backups.degraded(),
  };
}

/** Exports ages in seconds, which are infinite as long as there is no backup or no check. */
function exportMetrics(backups: ScheduledBackups, metrics: Metrics): void {
  const { gauge } = metrics.ofPlugin("backup");
  const seconds = (at: bigint | null | undefined) =>
    at === undefined || at === null ? Infinity : backups.age(at) / 1000;
  gauge("age_seconds", "Age of the newest backup", () => seconds(backups.newest?.madeAt));
  gauge("bytes", "Size of the newest backup", () => Number(backups.newest?.bytes ?? 0));
  gauge("check_age_seconds", "Time since the last check of a backup", () => seconds(backups.lastChecked?.checkedAt));
  gauge("check_failed", "1 if the last check of a backup failed", () => backups.lastChecked?.checkError ? 1 : 0);
}

/** Returns the commands, which explain how backups are configured if they are not. */
function commandsOf(backups: ScheduledBackups | undefined, manifestPath: string): Command[] {
  const configured = (): ScheduledBackups => {
    if (backups !== undefined) return backups;
    throw new StartupError(`${manifestPath} has no "backup": see core/guides/backups.md`);
  };
  return [
    {
      name: "backups list",
      usage: ": lists the backups of the schedule, the newest first",
      async run(call) {
        await configured().load(call);
        return configured().known.map(lineOf);
      },
    },
    {
      name: "backups make",
      usage: ": makes a backup now, as the schedule does",
      async run(call) {
        const { name, bytes } = await configured().make(call);
        return [`made ${name} (${sizeText(Number(bytes))})`];
      },
    },
    {
      name: "backups check",
      usage: "[name]: restores a backup, the newest by default, into a temporary file and checks it",
      run: (call, [name]) => checkOne(configured(), call, name),
    },
  ];
}

async function checkOne(backups: ScheduledBackups, call: Call, name: string | undefined): Promise<string[]> {
  const chosen = name === undefined ? backups.newest : backups.known.find((known) => known.name === name);
  if (chosen === undefined) throw kernelErrors.not_found(name === undefined ? "a backup" : `the backup "${name}"`);
  await backups.check(call, chosen.name);
  return [`${chosen.name} can be restored: ${chosen.rows} rows`];
}

function lineOf({ name, bytes, rows, checkedAt, checkError }: BackupRecord): string {
  const checked = checkedAt === null ? "not checked" : `checked ${new Date(Number(checkedAt)).toISOString()}`;
  return `${name}  ${sizeText(Number(bytes))}  ${rows} rows  ${checked}${checkError === null ? "" : `: ${checkError}`}`;
}
