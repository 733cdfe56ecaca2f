import { type AlarmSource, alarmSource } from "../../../events/alarm.ts";
import { backupAge, backupCheck } from "../../../kernel/alarms/kernel_alarms.ts";
import type { ScheduledBackups } from "./scheduled_backups.ts";

const HOUR_MILLISECONDS = 3_600_000;

/** Looks for backups that are too old, and for a check that failed. */
export function backupSources(backups: ScheduledBackups, place: string, maxAgeHours: number): AlarmSource[] {
  return [
    alarmSource(backupAge, async (call) => {
      await backups.load(call);
      const { newest, startedAt } = backups;
      if (backups.age(newest?.madeAt ?? startedAt) <= maxAgeHours * HOUR_MILLISECONDS) return [];
      return [{ subject: "backups", data: { place, madeAt: toSeconds(newest?.madeAt ?? 0n), maxAgeHours } }];
    }),
    alarmSource(backupCheck, async (call) => {
      await backups.load(call);
      const { lastChecked } = backups;
      if (lastChecked === undefined || lastChecked.checkError === null) return [];
      return [{
        subject: "check",
        data: { backup: lastChecked.name, checkedAt: toSeconds(lastChecked.checkedAt!) },
      }];
    }),
  ];
}

function toSeconds(milliseconds: bigint): bigint {
  return milliseconds / 1000n;
}
