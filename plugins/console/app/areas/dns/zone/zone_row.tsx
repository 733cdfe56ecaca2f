import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { messageOf } from "../../../parts/failure.tsx";
import { State } from "../../../parts/state.tsx";
import { count, texts as common } from "../../../texts/mod.ts";
import { fill } from "../../../texts/fill.ts";
import { texts } from "../texts.ts";
import { type EditableField, type EditedRow, stateOf, withField, type ZoneRecord } from "./changes.ts";
import { ConflictRow } from "./conflict_row.tsx";
import { RecordDialog } from "./record_dialog.tsx";
import type { Problem } from "./send.ts";

const TYPES = ["A", "AAAA", "CNAME", "MX", "NS", "TXT", "SRV", "CAA", "PTR", "SOA", "HTTPS", "SVCB"];

interface ZoneRowProps {
  readonly row: EditedRow;
  readonly problem: Problem | undefined;
  /** True for a row that was just added. */
  readonly isFocused: boolean;
  readonly canEdit: boolean;
  readonly canRemove: boolean;
  readonly onChange: (row: EditedRow) => void;
}

/** A record, each of its fields in a cell, and what is wrong with it below. */
export function ZoneRow({ row, problem, isFocused, canEdit, canRemove, onChange }: ZoneRowProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const line = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (isFocused) line.current?.querySelector("input")?.select();
  }, [isFocused]);
  const record = row.after ?? row.before!;
  const isGone = row.after === undefined;
  const state = stateOf(row);
  const of = { name: record.name, type: record.type };
  const field = (name: EditableField, label: string) => (
    <Cell
      name={name}
      label={label}
      row={row}
      record={record}
      isInvalid={problem !== undefined}
      isDisabled={isGone || !canEdit}
      onChange={onChange}
    />
  );
  return (
    <>
      <tr ref={line} class={state}>
        <td>{field("name", common.value.name)}</td>
        <td>
          <select
            class="cell"
            aria-label={common.value.type}
            disabled={isGone || !canEdit}
            value={record.type}
            onChange={(event) => onChange(withField(row, "type", event.currentTarget.value))}
          >
            {TYPES.map((type) => <option key={type}>{type}</option>)}
          </select>
        </td>
        <td class="fill">
          <div class="filled">
            {record.type === "MX" && field("mxPriority", common.value.priority)}
            {field("value", common.value.value)}
          </div>
        </td>
        <td class="num">{field("ttl", "TTL")}</td>
        <td class="dim">
          {record.nsRouteCodes.join(", ") || texts.value.defaultRoute}
          {record.weight > 0 && ` · ${fill(texts.value.weightOf, { n: count(record.weight) })}`}
          {!record.isOn && <State kind="idle" text={texts.value.off} />}
        </td>
        <td class="num row-actions">
          {state === "changed" || isGone
            ? (
              <button
                type="button"
                class="btn quiet"
                aria-label={fill(texts.value.undoRow, of)}
                onClick={() => onChange({ ...row, after: row.before })}
              >
                {common.value.undo}
              </button>
            )
            : null}
          {!isGone && canEdit && (
            <button
              type="button"
              class="btn quiet"
              aria-label={fill(texts.value.details, of)}
              onClick={() => setOpen(true)}
            >
              ⋯
            </button>
          )}
          {!isGone && canRemove && (
            <button
              type="button"
              class="btn quiet"
              aria-label={`${common.value.remove} ${record.name} ${record.type}`}
              onClick={() => onChange({ ...row, after: undefined })}
            >
              ✕
            </button>
          )}
          {isOpen && <RecordDialog row={row} onClose={() => setOpen(false)} onChange={onChange} />}
        </td>
      </tr>
      {problem?.kind === "failed" && (
        <tr>
          <td colSpan={6} class="problem">
            <p class="error" role="alert">{messageOf(problem.error)}</p>
          </td>
        </tr>
      )}
      {problem?.kind === "conflict" && <ConflictRow row={row} theirs={problem.theirs} onChange={onChange} />}
    </>
  );
}

interface CellProps {
  readonly name: EditableField;
  readonly label: string;
  readonly row: EditedRow;
  readonly record: ZoneRecord;
  readonly isInvalid: boolean;
  readonly isDisabled: boolean;
  readonly onChange: (row: EditedRow) => void;
}

function Cell({ name, label, row, record, isInvalid, isDisabled, onChange }: CellProps): JSX.Element {
  const undo = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || row.before === undefined) return;
    event.stopPropagation();
    onChange(withField(row, name, String(row.before[name])));
  };
  return (
    <input
      class={name === "ttl" || name === "mxPriority" ? "cell mono num" : "cell mono"}
      data-column={name}
      aria-label={label}
      aria-invalid={isInvalid}
      disabled={isDisabled}
      value={String(record[name])}
      onInput={(event) => onChange(withField(row, name, event.currentTarget.value))}
      onKeyDown={undo}
    />
  );
}
