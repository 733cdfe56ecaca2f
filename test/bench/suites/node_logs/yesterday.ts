const DAY_MILLISECONDS = 86_400_000;

/** Yesterday in UTC, as `2026-01-31`: a day that the logs of the bench cover wholly. */
export function yesterday(): string {
  return new Date(Date.now() - DAY_MILLISECONDS).toISOString().slice(0, 10);
}
