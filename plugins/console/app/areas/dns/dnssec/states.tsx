import type { JSX } from "preact";
import { State } from "../../../parts/state.tsx";
import { fill } from "../../../texts/fill.ts";
import { relativeTime } from "../../../texts/mod.ts";
import type { Signing } from "./signing.ts";
import { texts } from "./texts.ts";

const STATUS = {
  off: ["idle", "notSigned"],
  signed: ["ok", "signed"],
  rolling: ["warn", "rolling"],
  disabling: ["warn", "disabling"],
} as const;

const PARENT = {
  "": ["idle", "unchecked"],
  none: ["warn", "none"],
  present: ["ok", "present"],
  missing: ["warn", "missing"],
  wrong: ["bad", "wrong"],
} as const;

const HELP = { none: "noneHelp", missing: "missingHelp", wrong: "wrongHelp" } as const;

export function StatusTag({ status }: Pick<Signing, "status">): JSX.Element {
  const [kind, key] = STATUS[status];
  return <State kind={kind} text={texts.value[key]} />;
}

/** The DS records of the parent at the last check, and what they mean for resolvers. */
export function ParentState({ signing: { parentStatus, parentCheckedAt } }: { signing: Signing }): JSX.Element {
  const { value: text } = texts;
  const [kind, key] = PARENT[parentStatus];
  const help = parentStatus === "" || parentStatus === "present" ? undefined : text[HELP[parentStatus]];
  return (
    <div class="pad parent">
      <b>{text.parent}</b>
      <State kind={kind} text={text[key]} />
      {parentCheckedAt !== 0n && (
        <span class="dim">{fill(text.checkedAt, { time: relativeTime(parentCheckedAt) })}</span>
      )}
      {help !== undefined && <p class="dim">{help}</p>}
    </div>
  );
}
