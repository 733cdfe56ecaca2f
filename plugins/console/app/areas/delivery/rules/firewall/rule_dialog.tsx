import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { fill } from "../../../../texts/fill.ts";
import { FormDialog } from "../common/form_dialog.tsx";
import { CheckField, ChoiceField, LongTextField, TextField, WordsField } from "../common/inputs.tsx";
import { operatorText } from "../common/operator_texts.ts";
import { placed } from "../common/order.ts";
import { isComposed } from "../common/params.ts";
import { PartField } from "../common/part_field.tsx";
import { servedValues } from "../common/served.ts";
import { texts as common } from "../common/texts.ts";
import { type PolicyChanges, SAVE_SET } from "./changes.ts";
import { CounterFields } from "./counter_fields.tsx";
import type { Rule, RuleSet, Side } from "./policy.ts";
import { COUNTER, hasValue, PARTS } from "./rules.ts";
import { texts } from "./texts.ts";

const NEW: Readonly<Record<Side, Rule>> = {
  inbound: { isOn: true, param: "${requestURI}", operator: "match", value: "" },
  outbound: { isOn: true, param: "${status}", operator: "eq", value: "" },
};

interface RuleDialogProps {
  readonly changes: PolicyChanges;
  readonly side: Side;
  /** The set of the rule, as the reader saw it. */
  readonly set: RuleSet;
  /** The place of the rule; a new one after the last. */
  readonly index: number;
  /** Loads the rules again, saved or not. */
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

/** Adds a rule to a set, or changes one. */
export function RuleDialog({ changes, side, set, index, onDone, onClose }: RuleDialogProps): JSX.Element {
  const rules = set.rules ?? [];
  const isNew = index >= rules.length;
  const [rule, setRule] = useState<Rule>(rules[index] ?? NEW[side]);
  const { value: text } = texts;
  const path = `firewallRuleSetConfigJSON.rules[${index}]`;
  const change = (fields: Partial<Rule>) => setRule({ ...rule, ...fields });
  async function save(): Promise<void> {
    try {
      await changes.saveSet(set, { ...set, rules: placed(rules, index, rule) });
    } finally {
      await onDone();
    }
  }
  return (
    <FormDialog
      title={isNew ? fill(text.addTo, { action: text.addRule, name: set.name ?? "" }) : text.ruleTitle}
      action={isNew ? text.addRule : common.value.save}
      onSave={save}
      onClose={onClose}
    >
      {(error) => (
        <>
          <div class="rule-fields">
            <PartField
              id="rule-param"
              names={[`${path}.param`]}
              error={error}
              offered={PARTS[side]}
              value={rule.param ?? ""}
              onChange={(param) => change({ param, isComposed: isComposed(param) })}
            />
            <ChoiceField
              {...{ id: "rule-operator", label: common.value.comparison, names: [`${path}.operator`], error }}
              values={servedValues(SAVE_SET, "firewallRuleSetConfigJSON", ["rules", "operator"])}
              nameOf={operatorText}
              value={rule.operator ?? ""}
              onChange={(operator) => change({ operator })}
            />
          </div>
          {rule.param === COUNTER && (
            <CounterFields
              path={`${path}.checkpointOptions`}
              error={error}
              options={rule.checkpointOptions ?? {}}
              onChange={(checkpointOptions) => change({ checkpointOptions })}
            />
          )}
          {hasValue(rule.operator) && (
            <LongTextField
              {...{ id: "rule-value", label: common.value.value, names: [`${path}.value`], error }}
              value={rule.value ?? ""}
              onChange={(value) => change({ value })}
            />
          )}
          <CheckField
            label={common.value.ignoreCase}
            value={rule.isCaseInsensitive ?? false}
            onChange={(isCaseInsensitive) => change({ isCaseInsensitive })}
          />
          <CheckField label={text.isOn} value={rule.isOn ?? false} onChange={(isOn) => change({ isOn })} />
          <WordsField
            {...{ id: "rule-filters", label: text.filters, names: [`${path}.paramFilters`], error }}
            help={text.filtersHelp}
            value={(rule.paramFilters ?? []).map(({ code }) => code)}
            onChange={(codes) => change({ paramFilters: filtersOf(rule, codes) })}
          />
          <TextField
            {...{ id: "rule-description", label: text.description, names: [`${path}.description`], error }}
            value={rule.description ?? ""}
            onChange={(description) => change({ description })}
          />
        </>
      )}
    </FormDialog>
  );
}

/** The filters with these codes; those that the rule has keep their options. */
function filtersOf({ paramFilters = [] }: Rule, codes: readonly string[]): NonNullable<Rule["paramFilters"]> {
  return codes.map((code) => paramFilters.find((filter) => filter.code === code) ?? { code });
}
