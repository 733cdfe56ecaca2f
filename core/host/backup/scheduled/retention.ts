/** The numbers of backups that are kept. */
export interface Retention {
  /** The newest ones. */
  readonly keepLast: number;
  /** The newest of each day, for this many days. */
  readonly keepDaily: number;
  /** The newest of each week, for this many weeks. */
  readonly keepWeekly: number;
}

const DAY_MILLISECONDS = 86_400_000;
/** The first of January 1970 was a Thursday; weeks begin on Monday. */
const DAYS_BEFORE_MONDAY = 3;

/**
 * Returns the backups that are no longer kept. Days and weeks are those of UTC, and days and weeks without a backup do
 * not count, so that the kept ones do not expire while no backup is made.
 */
export function expiredBackups<Backup extends { readonly madeAt: number }>(
  backups: readonly Backup[],
  { keepLast, keepDaily, keepWeekly }: Retention,
): Backup[] {
  const newestFirst = backups.toSorted((one, other) => other.madeAt - one.madeAt);
  const day = ({ madeAt }: Backup) => Math.floor(madeAt / DAY_MILLISECONDS);
  const kept = new Set([
    ...newestFirst.slice(0, keepLast),
    ...newestOfEach(newestFirst, day, keepDaily),
    ...newestOfEach(newestFirst, (backup) => Math.floor((day(backup) + DAYS_BEFORE_MONDAY) / 7), keepWeekly),
  ]);
  return newestFirst.filter((backup) => !kept.has(backup));
}

function newestOfEach<Backup>(newestFirst: readonly Backup[], period: (of: Backup) => number, count: number): Backup[] {
  const newest = new Map<number, Backup>();
  for (const backup of newestFirst) if (!newest.has(period(backup))) newest.set(period(backup), backup);
  return [...newest.values()].slice(0, count);
}
