import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { fill } from "../../../../texts/fill.ts";
import { FormDialog } from "../common/form_dialog.tsx";
import { TextField } from "../common/inputs.tsx";
import { texts as common } from "../common/texts.ts";
import type { PolicyChanges } from "./changes.ts";
import type { Group, Inspection, Side } from "./policy.ts";
import { texts } from "./texts.ts";

const FIELDS = ["name", "description", "code"] as const;

interface GroupDialogProps {
  readonly changes: PolicyChanges;
  readonly side: Side;
  /** The inspection that the reader saw. */
  readonly inspection: Inspection;
  /** The group to change; a new one without it. */
  readonly group: Group | undefined;
  /** Loads the rules again, saved or not. */
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

/** Adds a group to the inspection of requests or responses, or changes what one is called. */
export function GroupDialog({ changes, side, inspection, group, onDone, onClose }: GroupDialogProps): JSX.Element {
  const { name = "", description = "", code = "" } = group ?? {};
  const [fields, setFields] = useState({ name, description, code });
  const { value: text } = texts;
  async function save(): Promise<void> {
    try {
      if (group === undefined) await changes.addGroup(side, inspection, fields);
      else await changes.saveGroup(group, { ...group, ...fields });
    } finally {
      await onDone();
    }
  }
  return (
    <FormDialog
      title={group === undefined ? text.addGroup : fill(text.editTitle, { name })}
      action={group === undefined ? text.addGroup : common.value.save}
      onSave={save}
      onClose={onClose}
    >
      {(error) =>
        FIELDS.map((field) => (
          <TextField
            key={field}
            id={`group-${field}`}
            label={text[field]}
            help={field === "code" ? text.codeHelp : undefined}
            names={[field]}
            error={error}
            value={fields[field]}
            onChange={(value) => setFields({ ...fields, [field]: value })}
          />
        ))}
    </FormDialog>
  );
}
