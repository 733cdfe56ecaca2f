import { hostname } from "node:os";
import type { Clock } from "../../base/clock.ts";
import type { Logger } from "../../base/log.ts";
import type { Metrics } from "../../base/metrics.ts";
import type { OpenHostWork } from "../../kernel/host_work.ts";
import { backupWork } from "../backup/scheduled/backup_work.ts";
import { diskSource } from "../observe/disk_alarm.ts";
import type { ServedCertificates } from "../observe/served_certificates.ts";
import type { Settings } from "../settings/settings.ts";

/** Returns the work of this machine: backups on a schedule, and a look at its disk and its certificates. */
export function machineWork(
  settings: Settings,
  certificates: ServedCertificates,
  clock: Clock,
  log: Logger,
  metrics: Metrics,
): OpenHostWork {
  const openBackups = backupWork(settings, clock, log, metrics);
  const { dataDirectory } = settings;
  return (parts) => {
    const backups = openBackups(parts);
    return {
      ...backups,
      machine: `${hostname()}:${dataDirectory}`,
      alarms: [...backups.alarms, diskSource(dataDirectory), certificates.source],
    };
  };
}
