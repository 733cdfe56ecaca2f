const DAY_SECONDS = 86_400;

let lastDay = -1;
let lastNumber = 0;

/** Returns the UTC day of a request id, whose first ten digits are unix seconds, as the number YYYYMMDD. */
export function dayOfId(bytes: Uint8Array, from: number): number {
  let seconds = 0;
  for (let at = from; at < from + 10; at++) seconds = seconds * 10 + bytes[at]! - 48;
  const day = Math.floor(seconds / DAY_SECONDS);
  if (day !== lastDay) {
    lastNumber = Number(new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, 10).replaceAll("-", ""));
    lastDay = day;
  }
  return lastNumber;
}

export function dayOfText(requestId: string): number {
  return dayOfId(new TextEncoder().encode(requestId), 0);
}
