import type { JSX } from "preact";
import { CheckField, ChoiceField, TextField, WordsField } from "../common/inputs.tsx";
import { CondFields } from "./cond_fields.tsx";
import { CondGroups } from "./cond_groups.tsx";
import { condOf, hasList, type Kind, kindOf, listIn, PRESETS, withKind } from "./kinds.ts";
import type { CacheRef } from "./refs.ts";
import { texts } from "./texts.ts";

interface MatchFieldsProps {
  /** The path of the rule in the request. */
  readonly path: string;
  readonly error: string | undefined;
  readonly rule: CacheRef;
  readonly onChange: (rule: CacheRef) => void;
}

/** The fields that say which responses a rule caches. */
export function MatchFields({ path, error, rule, onChange }: MatchFieldsProps): JSX.Element {
  const { value: text } = texts;
  const kind = kindOf(rule);
  const kinds: readonly Kind[] = [...Object.keys(PRESETS) as Kind[], "own", "groups"];
  return (
    <fieldset class="rule-part">
      <legend>{text.matches}</legend>
      <ChoiceField
        id="rule-kind"
        label={text.kind}
        names={[]}
        error={error}
        values={kinds}
        nameOf={(one) => text.kinds[one as Kind]}
        value={kind}
        onChange={(chosen) => onChange(withKind(rule, chosen as Kind))}
      />
      {kind === "own" && (
        <CondFields
          id="rule-cond"
          path={`${path}.simpleCond`}
          error={error}
          cond={rule.simpleCond!}
          onChange={(simpleCond) => onChange({ ...rule, simpleCond })}
        />
      )}
      {kind === "groups" && (
        <CondGroups
          path={`${path}.conds`}
          error={error}
          conds={rule.conds!}
          onChange={(conds) => onChange({ ...rule, conds })}
        />
      )}
      {kind !== "own" && kind !== "groups" && kind !== "none" && kind !== "url-all" && (
        <PresetField
          key={kind}
          kind={kind}
          path={path}
          error={error}
          value={rule.simpleCond?.value ?? ""}
          onChange={(value) => onChange({ ...rule, simpleCond: { ...condOf(rule.simpleCond!), value } })}
        />
      )}
      <CheckField
        label={text.reverse}
        value={rule.isReverse ?? false}
        onChange={(isReverse) => onChange({ ...rule, isReverse })}
      />
    </fieldset>
  );
}

interface PresetFieldProps {
  readonly kind: keyof typeof texts.value.kindLabels;
  readonly path: string;
  readonly error: string | undefined;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function PresetField({ kind, path, error, value, onChange }: PresetFieldProps): JSX.Element {
  const { value: text } = texts;
  const field = {
    id: "rule-value",
    label: text.kindLabels[kind],
    help: text.kindHelp[kind],
    names: [`${path}.simpleCond`],
    error,
  };
  if (!hasList(PRESETS[kind].operator)) {
    return <TextField {...field} isMono isRequired value={value} onChange={onChange} />;
  }
  const isExtension = kind === "url-extension";
  const written = (words: readonly string[]) =>
    words.map((word) => isExtension && !word.startsWith(".") ? `.${word}` : word);
  return (
    <WordsField
      {...field}
      isLong
      value={listIn(value)}
      onChange={(words) => onChange(JSON.stringify(written(words)))}
    />
  );
}
