/** Starts the line with which a test file reports what it needs. */
export const MARK = "SKIPPED: needs ";

/**
 * Reports that tests are skipped because something is missing. The reporter `test/setup/skipped_suites.ts` sums these
 * reports up at the end of a run.
 *
 * @param need what is missing: the Debian package if there is one
 */
export function reportMissing(need: string): void {
  console.warn(`${MARK}${need}`);
}
