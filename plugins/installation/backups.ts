import { type Call, kernelErrors } from "edgehelm";
import type { InspectedBackups, Inspection, Timers } from "edgehelm/runtime";
import { errors } from "./errors.ts";
import { seconds } from "./jobs.ts";
import { waitFor } from "./waiting.ts";

interface BackupDeps {
  readonly inspection: Inspection;
  readonly timers: Timers;
}

type Backup = Awaited<ReturnType<InspectedBackups["make"]>>;

export async function findBackups(call: Call, { backups }: Inspection) {
  if (backups === undefined) return { isConfigured: false };
  const { place, everyHours, maxAgeHours, checkDays, isBusy } = backups;
  const installationBackups = (await backups.list(call)).map(backupMessage);
  return { isConfigured: true, place, everyHours, maxAgeHours, checkDays, isBusy, installationBackups };
}

/** Makes a backup. The empty transaction puts the caller on record before it begins, as the other one does. */
export async function makeBackup(call: Call, { inspection, timers }: BackupDeps) {
  idleBackups(inspection);
  await call.transact(() => Promise.resolve());
  const made = idleBackups(inspection).make().then(
    (backup) => ({ result: "ok", installationBackup: backupMessage(backup) }),
    failed,
  );
  return await waitFor(made, timers) ?? { result: "running" };
}

/** @param name that of the newest backup if it is empty */
export async function checkBackup(name: string, call: Call, { inspection, timers }: BackupDeps) {
  const backups = idleBackups(inspection);
  const all = await backups.list(call);
  const chosen = name === "" ? all[0] : all.find((backup) => backup.name === name);
  if (chosen === undefined) throw kernelErrors.not_found(name === "" ? "a backup" : `the backup "${name}"`);
  await call.transact(() => Promise.resolve());
  const checked = idleBackups(inspection).check(chosen.name).then(() => ({ result: "ok", error: "" }), failed);
  return await waitFor(checked, timers) ?? { result: "running", error: "" };
}

/** Returns the backups if none is made or checked at present, so that callers cannot queue work. */
function idleBackups({ backups }: Inspection): InspectedBackups {
  if (backups === undefined) throw errors.backups_not_configured();
  if (backups.isBusy) throw errors.backup_busy();
  return backups;
}

function failed(error: unknown) {
  return { result: "failed", error: error instanceof Error ? error.message : String(error) };
}

function backupMessage({ name, madeAt, bytes, rows, checkedAt, checkError }: Backup) {
  return {
    ...{ name, bytes, countRows: rows, madeAt: seconds(madeAt) },
    checkState: checkedAt === null ? "never" : checkError === null ? "ok" : "failed",
    checkedAt: seconds(checkedAt ?? 0n),
    checkError: checkError ?? "",
  };
}
