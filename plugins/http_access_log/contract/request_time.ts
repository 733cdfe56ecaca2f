/** Returns the UTC day of a request as the number YYYYMMDD. */
export function dayOf(requestId: string): bigint {
  return BigInt(new Date(secondsOf(requestId) * 1000).toISOString().slice(0, 10).replaceAll("-", ""));
}

/** Returns the unix seconds with which a request id begins. */
export function secondsOf(requestId: string): number {
  return Number(requestId.slice(0, 10));
}

/** Returns the lowest request id of a second. */
export function firstOf(seconds: number): string {
  return String(seconds).padStart(10, "0");
}
