import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { Field } from "../../../parts/forms/field.tsx";
import { fill } from "../../../texts/fill.ts";
import { type Group, saveGroup } from "./group.ts";
import { texts } from "./texts.ts";

interface GroupDialogProps {
  /** The group to rename; a new one without it. */
  readonly group: Group | undefined;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Adds a group of recipients, or renames one. */
export function GroupDialog({ group, onDone, onClose }: GroupDialogProps): JSX.Element {
  const [name, setName] = useState(group?.name ?? "");
  const { value: text } = texts;
  async function save(): Promise<void> {
    await saveGroup(group, name);
    onDone();
  }
  return (
    <ActionDialog
      title={group === undefined ? text.addGroup : fill(text.renameTitle, { name: group.name })}
      action={group === undefined ? text.addGroup : text.rename}
      fields={["name"]}
      onAct={save}
      onClose={onClose}
    >
      {(error) => (
        <Field id="group-name" label={text.name} names={["name"]} error={error}>
          {(control) => (
            <input
              {...control}
              autocomplete="off"
              required
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
      )}
    </ActionDialog>
  );
}
