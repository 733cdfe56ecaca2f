import type { JSX } from "preact";
import { count, plural, texts as common } from "../../../texts/mod.ts";
import { fill } from "../../../texts/fill.ts";
import { texts } from "../texts.ts";
import { type EditedRow, summaryOf } from "./changes.ts";

interface DockProps {
  readonly rows: readonly EditedRow[];
  readonly hasProblems: boolean;
  /** How many were sent until now; undefined while none is. */
  readonly sentCount: number | undefined;
  readonly onDiscard: () => void;
  readonly onShow: () => void;
  readonly onApply: () => void;
}

/** Counts the changes, and offers to send them or to drop them. */
export function ChangesDock(
  { rows, hasProblems, sentCount, onDiscard, onShow, onApply }: DockProps,
): JSX.Element | null {
  const isSending = sentCount !== undefined;
  const { new: added, changed, gone } = summaryOf(rows);
  const total = added + changed + gone;
  if (total === 0) return null;
  const kinds = { added: count(added), changed: count(changed), gone: count(gone) };
  return (
    <div class="dock" role="status">
      <b>{plural(common.value.changes, total)}</b>
      {isSending
        ? <span class="dim">{fill(texts.value.sending, { done: count(sentCount), total: count(total) })}</span>
        : hasProblems
        ? <span class="error">{texts.value.failedSome}</span>
        : <span class="dim">{fill(common.value.changeKinds, kinds)}</span>}
      <span class="sp" />
      <button type="button" class="btn quiet" disabled={isSending} onClick={onDiscard}>{common.value.discard}</button>
      <button type="button" class="btn" onClick={onShow}>{common.value.zoneFile}</button>
      <button type="button" class="btn primary" disabled={isSending} onClick={onApply}>
        {common.value.applyChanges}
      </button>
    </div>
  );
}
