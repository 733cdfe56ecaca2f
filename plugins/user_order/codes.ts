import type { Clock } from "edgehelm";

/** Returns a code such as 20260131235959 and ten random digits. */
export function newCode(clock: Clock): string {
  const stamp = new Date(clock.now()).toISOString().slice(0, 19).replace(/\D/g, "");
  const [random] = crypto.getRandomValues(new BigUint64Array(1)) as unknown as [bigint];
  return stamp + String(random % 10n ** 10n).padStart(10, "0");
}
