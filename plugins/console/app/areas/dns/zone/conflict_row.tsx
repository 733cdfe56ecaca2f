import type { JSX } from "preact";
import { texts } from "../texts.ts";
import { type EditedRow, lineOf, unchangedRow, type ZoneRecord } from "./changes.ts";

interface ConflictProps {
  readonly row: EditedRow;
  /** The record as it is now; undefined if it was deleted. */
  readonly theirs: ZoneRecord | undefined;
  readonly onChange: (row: EditedRow) => void;
}

/** Says that another person changed the record, and lets the reader choose. */
export function ConflictRow({ row, theirs, onChange }: ConflictProps): JSX.Element {
  const { value: text } = texts;
  const { key, after } = row;
  const mine = () => {
    if (theirs !== undefined) return onChange({ key, before: theirs, after });
    onChange({ key, before: undefined, after: after && { ...after, id: 0n } });
  };
  const take = () =>
    onChange(theirs === undefined ? { key, before: undefined, after: undefined } : unchangedRow(theirs));
  return (
    <tr>
      <td colSpan={6} class="problem">
        <div role="alert" class="conflict">
          <span>{theirs === undefined ? text.deletedElsewhere : text.changedElsewhere}</span>
          {theirs && <code>{lineOf(theirs).replace(/ +/g, " ")}</code>}
          <button type="button" class="btn" onClick={take}>{text.takeTheirs}</button>
          <button type="button" class="btn" onClick={mine}>{text.keepMine}</button>
        </div>
      </td>
    </tr>
  );
}
