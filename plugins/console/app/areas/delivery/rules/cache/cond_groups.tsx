import type { JSX } from "preact";
import { fill } from "../../../../texts/fill.ts";
import { ChoiceField } from "../common/inputs.tsx";
import { without } from "../common/order.ts";
import { texts as common } from "../common/texts.ts";
import { CondFields } from "./cond_fields.tsx";
import { condOf, groupOf, PRESETS } from "./kinds.ts";
import type { Cond, CondGroup, Conds } from "./refs.ts";
import { texts } from "./texts.ts";

interface CondGroupsProps {
  /** The path of the groups in the request. */
  readonly path: string;
  readonly error: string | undefined;
  readonly conds: Conds;
  readonly onChange: (conds: Conds) => void;
}

/** Groups of comparisons, and how they are combined. */
export function CondGroups({ path, error, conds, onChange }: CondGroupsProps): JSX.Element {
  const { value: text } = texts;
  const groups = conds.groups ?? [];
  const change = (changed: readonly CondGroup[]) => onChange({ ...conds, groups: changed });
  const first = () => condOf(PRESETS["url-prefix"]);
  return (
    <>
      {groups.length > 1 && (
        <Join
          id="cond-groups"
          label={text.groupsJoin}
          path={path}
          error={error}
          value={conds.connector}
          onChange={(connector) => onChange({ ...conds, connector })}
        />
      )}
      {groups.map((group, at) => (
        <CondGroupFields
          key={at}
          at={at}
          path={`${path}.groups[${at}]`}
          error={error}
          group={group}
          onChange={(changed) => change(groups.with(at, changed))}
          onRemove={groups.length > 1 ? () => change(without(groups, at)) : undefined}
        />
      ))}
      <button type="button" class="btn" onClick={() => change([...groups, groupOf(first())])}>{text.addGroup}</button>
    </>
  );
}

interface GroupProps {
  readonly at: number;
  readonly path: string;
  readonly error: string | undefined;
  readonly group: CondGroup;
  readonly onChange: (group: CondGroup) => void;
  readonly onRemove: (() => void) | undefined;
}

function CondGroupFields({ at, path, error, group, onChange, onRemove }: GroupProps): JSX.Element {
  const { value: text } = texts;
  const conds = group.conds ?? [];
  const change = (changed: readonly Cond[]) => onChange({ ...group, conds: changed });
  const name = fill(text.group, { number: at + 1 });
  return (
    <fieldset class="rule-part" aria-label={name}>
      <legend>{name} {onRemove && <RemoveButton name={name} onRemove={onRemove} />}</legend>
      {conds.length > 1 && (
        <Join
          id={`group-${at}`}
          label={text.condsJoin}
          path={path}
          error={error}
          value={group.connector}
          onChange={(connector) => onChange({ ...group, connector })}
        />
      )}
      {conds.map((cond, index) => (
        <fieldset
          key={`${index} of ${conds.length}`}
          class="rule-part"
          aria-label={fill(text.comparison, { number: index + 1 })}
        >
          <legend>
            {fill(text.comparison, { number: index + 1 })} {conds.length > 1 && (
              <RemoveButton
                name={`${name}, ${fill(text.comparison, { number: index + 1 })}`}
                onRemove={() => change(without(conds, index))}
              />
            )}
          </legend>
          <CondFields
            id={`cond-${at}-${index}`}
            path={`${path}.conds[${index}]`}
            error={error}
            cond={cond}
            onChange={(changed) => change(conds.with(index, changed))}
          />
        </fieldset>
      ))}
      <button type="button" class="btn" onClick={() => change([...conds, condOf(PRESETS["url-prefix"])])}>
        {text.addCond}
      </button>
    </fieldset>
  );
}

function RemoveButton({ name, onRemove }: { readonly name: string; readonly onRemove: () => void }): JSX.Element {
  return (
    <button
      type="button"
      class="quiet"
      aria-label={fill(common.value.of, { action: texts.value.remove, name })}
      onClick={onRemove}
    >
      {texts.value.remove}
    </button>
  );
}

interface JoinProps {
  readonly id: string;
  readonly label: string;
  readonly path: string;
  readonly error: string | undefined;
  readonly value: string | undefined;
  readonly onChange: (connector: string) => void;
}

function Join({ id, label, path, error, value, onChange }: JoinProps): JSX.Element {
  const joins: Readonly<Record<string, string>> = texts.value.joins;
  return (
    <ChoiceField
      id={`${id}-join`}
      label={label}
      names={[`${path}.connector`]}
      error={error}
      values={["and", "or"]}
      nameOf={(connector) => joins[connector] ?? connector}
      value={value || "or"}
      onChange={onChange}
    />
  );
}
