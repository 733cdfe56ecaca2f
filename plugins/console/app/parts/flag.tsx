import type { JSX } from "preact";
import { texts } from "../texts/mod.ts";
import { State } from "./state.tsx";

/** A yes or no; whether something is on or up has its colour too. */
export function Flag({ name, value }: { name: string; value: boolean }): JSX.Element {
  const { value: text } = texts;
  if (name === "isOn") return <State kind={value ? "ok" : "idle"} text={value ? text.on : text.off} />;
  if (name === "isUp" || name === "isActive") {
    return <State kind={value ? "ok" : "bad"} text={value ? text.up : text.down} />;
  }
  return <>{value ? text.yes : text.no}</>;
}
