import type { JSX } from "preact";
import { relativeTime, time } from "../../texts/mod.ts";

/** A time in unix seconds as it is from now, with the exact one on hover. */
export function Moment({ at }: { at: bigint }): JSX.Element {
  return <time title={time(at)} dateTime={new Date(Number(at) * 1000).toISOString()}>{relativeTime(at)}</time>;
}
