import type { JSX } from "preact";
import { CheckField, ChoiceField, LongTextField, NumberField, TextField, WordsField } from "../common/inputs.tsx";
import type { OptionKind } from "./actions.ts";
import { type Action, type Group, isSame } from "./policy.ts";
import { texts } from "./texts.ts";

interface OptionFieldProps {
  readonly id: string;
  /** The path of the option in the request. */
  readonly path: string;
  readonly error: string | undefined;
  readonly label: string;
  readonly kind: OptionKind;
  readonly groups: readonly Group[];
  readonly action: Action;
  readonly name: string;
  readonly onChange: (value: unknown) => void;
}

/** One option of an action. An empty one is left out. */
export function OptionField(props: OptionFieldProps): JSX.Element {
  const { id, path, error, label, kind, groups, action, name, onChange } = props;
  const value = action.options?.[name];
  const field = { id, label, names: [path], error };
  const text = value === undefined || value === null ? "" : String(value);
  const changeText = (typed: string) => onChange(typed === "" ? undefined : typed);
  if (kind === "number") {
    return <NumberField {...field} value={text === "" ? undefined : Number(text)} onChange={onChange} />;
  }
  if (kind === "flag") return <CheckField label={label} value={value === true} onChange={onChange} />;
  if (kind === "long") return <LongTextField {...field} value={text} onChange={changeText} />;
  if (kind === "words") {
    return <WordsField {...field} value={Array.isArray(value) ? value.map(String) : []} onChange={onChange} />;
  }
  if (kind === "text") return <TextField {...field} isMono value={text} onChange={changeText} />;
  if (kind === "group" || kind === "set") {
    const offered = kind === "group"
      ? groups.map(({ id: own, name: title = "" }) => ({ own, title }))
      : setsOf(groups, action);
    return (
      <ChoiceField
        {...field}
        values={["", ...offered.map(({ own }) => String(own))]}
        nameOf={(chosen) => offered.find(({ own }) => isSame(own, chosen))?.title ?? chosen}
        value={text}
        onChange={(chosen) => onChange(chosen === "" ? undefined : Number(chosen))}
      />
    );
  }
  const names: Readonly<Record<string, string>> = texts.value.values;
  return (
    <ChoiceField
      {...field}
      values={["", ...kind]}
      nameOf={(chosen) => names[chosen] ?? chosen}
      value={text}
      onChange={changeText}
    />
  );
}

/** The sets of the group that the action goes to. */
function setsOf(groups: readonly Group[], { options }: Action) {
  const group = groups.find(({ id }) => isSame(id, String(options?.["groupId"])));
  return (group?.sets ?? []).map(({ id = 0, name = "" }) => ({ own: id, title: name }));
}
