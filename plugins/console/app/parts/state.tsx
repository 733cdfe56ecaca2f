import type { JSX } from "preact";

/** A state with its word; the colour only repeats it. */
export function State({ kind, text }: { kind: "ok" | "warn" | "bad" | "idle"; text: string }): JSX.Element {
  return <span class={`tag ${kind}`}>{text}</span>;
}
