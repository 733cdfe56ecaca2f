import type { JSX } from "preact";
import { Dialog } from "../../../parts/dialog.tsx";
import { texts as common } from "../../../texts/mod.ts";
import { fill } from "../../../texts/fill.ts";
import { texts } from "../texts.ts";
import { type EditableField, type EditedRow, withField } from "./changes.ts";

interface RecordDialogProps {
  readonly row: EditedRow;
  readonly onClose: () => void;
  readonly onChange: (row: EditedRow) => void;
}

/** The fields of a record that have no cell in the table. It changes the row; the dock sends it. */
export function RecordDialog({ row, onClose, onChange }: RecordDialogProps): JSX.Element | null {
  const { value: text } = texts;
  const record = row.after;
  if (record === undefined) return null;
  const field = (name: EditableField, label: string, help?: string) => (
    <label class="field">
      {label}
      <input
        value={String(record[name])}
        inputMode={typeof record[name] === "number" ? "numeric" : undefined}
        onInput={(event) => onChange(withField(row, name, event.currentTarget.value))}
      />
      {help !== undefined && <span class="help">{help}</span>}
    </label>
  );
  const routes = (typed: string) => typed.split(",").map((code) => code.trim()).filter((code) => code !== "");
  return (
    <Dialog title={fill(text.details, { name: record.name, type: record.type })} onClose={onClose}>
      <label class="field check-field">
        <input
          type="checkbox"
          checked={record.isOn}
          onChange={(event) => onChange({ ...row, after: { ...record, isOn: event.currentTarget.checked } })}
        />
        {` ${text.isOn}`}
      </label>
      {field("description", text.description)}
      {field("weight", text.weight, text.weightHelp)}
      <label class="field">
        {common.value.routes}
        <input
          class="mono"
          defaultValue={record.nsRouteCodes.join(", ")}
          onChange={(event) =>
            onChange({ ...row, after: { ...record, nsRouteCodes: routes(event.currentTarget.value) } })}
        />
        <span class="help">{text.routesHelp}</span>
      </label>
      {record.type === "SRV" && (
        <>
          {field("srvPriority", text.srvPriority)}
          {field("srvWeight", text.srvWeight)}
          {field("srvPort", text.srvPort)}
        </>
      )}
      {record.type === "CAA" && (
        <>
          {field("caaFlag", text.caaFlag)}
          {field("caaTag", text.caaTag)}
        </>
      )}
      <div class="actions">
        <button type="button" class="btn primary" onClick={onClose}>{text.done}</button>
      </div>
    </Dialog>
  );
}
