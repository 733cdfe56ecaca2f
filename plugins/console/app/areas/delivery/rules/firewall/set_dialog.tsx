import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { fill } from "../../../../texts/fill.ts";
import { FormDialog } from "../common/form_dialog.tsx";
import { CheckField, ChoiceField, TextField } from "../common/inputs.tsx";
import { texts as common } from "../common/texts.ts";
import { ActionFields } from "./action_fields.tsx";
import { newAction } from "./actions.ts";
import type { PolicyChanges } from "./changes.ts";
import type { Group, RuleSet } from "./policy.ts";
import { texts } from "./texts.ts";

const PATH = "firewallRuleSetConfigJSON";
const NEW: RuleSet = { isOn: true, connector: "or", ignoreLocal: true, actions: [newAction("block")], rules: [] };

interface SetDialogProps {
  readonly changes: PolicyChanges;
  /** The group of the set, as the reader saw it. */
  readonly group: Group;
  /** The groups of the policy, to which an action can go. */
  readonly groups: readonly Group[];
  /** The set to change; a new one without it. */
  readonly set: RuleSet | undefined;
  /** Loads the rules again, saved or not. */
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

/** Adds a set to a group, or changes how its rules are combined and what happens with requests that match. */
export function SetDialog({ changes, group, groups, set: seen, onDone, onClose }: SetDialogProps): JSX.Element {
  const [set, setSet] = useState<RuleSet>(seen ?? NEW);
  const { value: text } = texts;
  const connectors: Readonly<Record<string, string>> = text.connectors;
  const change = (fields: Partial<RuleSet>) => setSet({ ...set, ...fields });
  async function save(): Promise<void> {
    try {
      if (seen === undefined) await changes.addSet(group, set);
      else await changes.saveSet(seen, set);
    } finally {
      await onDone();
    }
  }
  return (
    <FormDialog
      title={seen === undefined
        ? fill(text.addTo, { action: text.addSet, name: group.name ?? "" })
        : fill(text.editTitle, { name: seen.name ?? "" })}
      action={seen === undefined ? text.addSet : common.value.save}
      onSave={save}
      onClose={onClose}
    >
      {(error) => (
        <>
          <div class="rule-fields">
            <TextField
              {...{ id: "set-name", label: text.name, names: [`${PATH}.name`], error }}
              value={set.name ?? ""}
              onChange={(name) => change({ name })}
            />
            <ChoiceField
              {...{ id: "set-connector", label: text.connector, names: [`${PATH}.connector`], error }}
              values={["or", "and"]}
              nameOf={(connector) => connectors[connector] ?? connector}
              value={set.connector || "or"}
              onChange={(connector) => change({ connector })}
            />
            <TextField
              {...{ id: "set-description", label: text.description, names: [`${PATH}.description`], error }}
              value={set.description ?? ""}
              onChange={(description) => change({ description })}
            />
            <TextField
              {...{ id: "set-code", label: text.code, help: text.codeHelp, names: [`${PATH}.code`], error }}
              value={set.code ?? ""}
              onChange={(code) => change({ code })}
            />
          </div>
          <CheckField
            label={text.ignoreLocal}
            value={set.ignoreLocal ?? false}
            onChange={(ignoreLocal) => change({ ignoreLocal })}
          />
          <ActionFields
            path={`${PATH}.actions`}
            error={error}
            actions={set.actions ?? []}
            groups={groups}
            onChange={(actions) => change({ actions })}
          />
        </>
      )}
    </FormDialog>
  );
}
