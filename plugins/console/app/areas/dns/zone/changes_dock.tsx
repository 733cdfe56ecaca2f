import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { count, plural, texts as common } from "../../../texts/mod.ts";
import { fill } from "../../../texts/fill.ts";
import { texts } from "../texts.ts";
import { type EditedRow, summaryOf } from "./changes.ts";

interface DockProps {
  readonly rows: readonly EditedRow[];
  readonly hasProblems: boolean;
  readonly onDiscard: () => void;
  readonly onShow: () => void;
  readonly onApply: () => Promise<void>;
}

/** Counts the changes, and offers to send them or to drop them. */
export function ChangesDock({ rows, hasProblems, onDiscard, onShow, onApply }: DockProps): JSX.Element | null {
  const [isSending, setSending] = useState(false);
  const { new: added, changed, gone } = summaryOf(rows);
  const total = added + changed + gone;
  if (total === 0) return null;
  const send = () => {
    setSending(true);
    onApply().finally(() => setSending(false));
  };
  const kinds = { added: count(added), changed: count(changed), gone: count(gone) };
  return (
    <div class="dock" role="status">
      <b>{plural(common.value.changes, total)}</b>
      {hasProblems
        ? <span class="error">{texts.value.failedSome}</span>
        : <span class="dim">{fill(common.value.changeKinds, kinds)}</span>}
      <span class="sp" />
      <button type="button" class="btn quiet" onClick={onDiscard}>{common.value.discard}</button>
      <button type="button" class="btn" onClick={onShow}>{common.value.zoneFile}</button>
      <button type="button" class="btn primary" disabled={isSending} onClick={send}>{common.value.applyChanges}</button>
    </div>
  );
}
