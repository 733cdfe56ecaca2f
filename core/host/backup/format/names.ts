/** A backup on a schedule, as its name describes it. */
export interface NamedBackup {
  readonly name: string;
  readonly installationId: string;
  /** Unix milliseconds. */
  readonly madeAt: number;
}

const NAME = /^edgehelm-([0-9a-f-]{36})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)\.(\d{3})Z\.backup$/;

/** Returns a name that holds the installation and the time, so that names sort by time. */
export function backupName(installationId: string, madeAt: number): string {
  return `edgehelm-${installationId}-${new Date(madeAt).toISOString().replaceAll(/[-:]/g, "")}.backup`;
}

/** Reads the name of a backup. Returns undefined for the names of other files. */
export function readBackupName(name: string): NamedBackup | undefined {
  const [, installationId, year, month, day, hour, minute, second, fraction] = NAME.exec(name) ?? [];
  if (installationId === undefined) return undefined;
  const madeAt = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}Z`);
  return Number.isNaN(madeAt) ? undefined : { name, installationId, madeAt };
}
