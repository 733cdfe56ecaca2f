import { expect, test } from "vitest";
import { backupName, readBackupName } from "../../../core/host/backup/format/names.ts";
import { expiredBackups } from "../../../core/host/backup/scheduled/retention.ts";

const at = (...times: string[]) => times.map((time) => ({ time, madeAt: Date.parse(`2026-${time}Z`) }));

function kept(backups: ReturnType<typeof at>, keepLast: number, keepDaily: number, keepWeekly: number): string[] {
  const expired = expiredBackups(backups, { keepLast, keepDaily, keepWeekly });
  return backups.filter((backup) => !expired.includes(backup)).map(({ time }) => time);
}

test("keeps the newest backups, the newest of each day and the newest of each week", () => {
  const backups = at(
    "03-01T12:00", // a Sunday
    "03-02T12:00", // a Monday
    "03-08T06:00",
    "03-08T18:00",
    "03-09T06:00",
    "03-09T18:00",
  );
  expect(kept(backups, 1, 0, 0)).toEqual(["03-09T18:00"]);
  expect(kept(backups, 2, 0, 0)).toEqual(["03-09T06:00", "03-09T18:00"]);
  expect(kept(backups, 1, 3, 0)).toEqual(["03-02T12:00", "03-08T18:00", "03-09T18:00"]);
  expect(kept(backups, 1, 0, 9)).toEqual(["03-01T12:00", "03-08T18:00", "03-09T18:00"]);
});

test("keeps old backups as long as no new ones are made", () => {
  expect(kept(at("01-01T00:00", "01-02T00:00"), 1, 2, 0)).toEqual(["01-01T00:00", "01-02T00:00"]);
});

test("a name holds installation and time, and names of other files are not read", () => {
  const installationId = "8b0e5b2c-1f0c-4d55-9a3e-0f7b0a3f9d11";
  const madeAt = Date.parse("2026-03-09T18:04:05.678Z");
  const name = backupName(installationId, madeAt);
  expect(name).toBe(`edgehelm-${installationId}-20260309T180405.678Z.backup`);
  expect(readBackupName(name)).toEqual({ name, installationId, madeAt });
  for (const other of [`${name}.partial`, `../${name}`, name.replace("20260309", "20261399"), "notes.txt"]) {
    expect(readBackupName(other)).toBeUndefined();
  }
});
