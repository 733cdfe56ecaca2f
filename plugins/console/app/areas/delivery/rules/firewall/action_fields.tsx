import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { fill } from "../../../../texts/fill.ts";
import { ChoiceField } from "../common/inputs.tsx";
import { moved, without } from "../common/order.ts";
import { servedValues } from "../common/served.ts";
import { texts as common } from "../common/texts.ts";
import { actionText, newAction, optionsOf, withOption } from "./actions.ts";
import { SAVE_SET } from "./changes.ts";
import { OptionField } from "./option_field.tsx";
import type { Action, Group } from "./policy.ts";
import { texts } from "./texts.ts";

interface ActionFieldsProps {
  /** The path of the actions in the request. */
  readonly path: string;
  readonly error: string | undefined;
  readonly actions: readonly Action[];
  /** The groups to which an action can go. */
  readonly groups: readonly Group[];
  readonly onChange: (actions: readonly Action[]) => void;
}

/** The actions of a set in their order, each with a form for its options. */
export function ActionFields({ path, error, actions, groups, onChange }: ActionFieldsProps): JSX.Element {
  const codes = servedValues(SAVE_SET, "firewallRuleSetConfigJSON", ["actions", "code"]);
  const [adding, setAdding] = useState(codes[0] ?? "");
  const [added, setAdded] = useState(0);
  const { value: text } = texts;
  return (
    <fieldset class="rule-part">
      <legend>{text.actionsTitle}</legend>
      {actions.map((action, at) => (
        // an action that moves keeps nothing that was typed but not taken
        <fieldset key={`${at} ${action.code} ${added}`} class="rule-part" aria-label={actionText(action.code)}>
          <legend>
            {actionText(action.code)}{" "}
            <Buttons
              name={actionText(action.code)}
              isFirst={at === 0}
              isLast={at === actions.length - 1}
              onMove={(step) => {
                setAdded(added + 1);
                onChange(moved(actions, at, step));
              }}
              onRemove={() => {
                setAdded(added + 1);
                onChange(without(actions, at));
              }}
            />
          </legend>
          {optionsOf(action).length === 0 && <p class="help">{text.noOptions}</p>}
          <div class="rule-fields">
            {optionsOf(action).map(([name, kind]) => (
              <OptionField
                key={name}
                id={`action-${at}-${name}`}
                path={`${path}[${at}].options.${name}`}
                error={error}
                label={text.options[name]}
                kind={kind}
                groups={groups}
                action={action}
                name={name}
                onChange={(value) => onChange(actions.with(at, withOption(action, name, value)))}
              />
            ))}
          </div>
        </fieldset>
      ))}
      <div class="rule-add">
        <ChoiceField
          id="action-to-add"
          label={text.addAction}
          names={[path]}
          error={error}
          values={codes}
          nameOf={actionText}
          value={adding}
          onChange={setAdding}
        />
        <button type="button" class="btn" onClick={() => onChange([...actions, newAction(adding)])}>
          {text.add}
        </button>
      </div>
    </fieldset>
  );
}

interface ButtonsProps {
  readonly name: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onMove: (step: -1 | 1) => void;
  readonly onRemove: () => void;
}

function Buttons({ name, isFirst, isLast, onMove, onRemove }: ButtonsProps): JSX.Element {
  const { value: text } = common;
  const button = (action: string, sign: string, isDisabled: boolean, act: () => void) => (
    <button
      type="button"
      class="quiet"
      aria-label={fill(text.of, { action, name })}
      disabled={isDisabled}
      onClick={act}
    >
      {sign}
    </button>
  );
  return (
    <>
      {button(text.moveUp, "↑", isFirst, () => onMove(-1))}
      {button(text.moveDown, "↓", isLast, () => onMove(1))}
      {button(text.remove, text.remove, false, onRemove)}
    </>
  );
}
