import type { JSX } from "preact";
import { State } from "../../../parts/state.tsx";
import { fill } from "../../../texts/fill.ts";
import { count } from "../../../texts/mod.ts";
import { texts } from "./texts.ts";

const KINDS = { good: "ok", normal: "ok", bad: "warn", broken: "bad" } as const;

/** The quality of a connection in words. */
export function Level({ level }: { level: string }): JSX.Element {
  const known = level in KINDS ? level as keyof typeof KINDS : "normal";
  return <State kind={KINDS[known]} text={texts.value.levels[known]} />;
}

/** Returns a time to connect as text; empty if there was no connection. */
export function costText(costMs: number): string {
  return costMs === 0 ? "" : fill(texts.value.milliseconds, { n: count(Math.round(costMs)) });
}
