import type { JSX } from "preact";
import { State } from "../../../../parts/state.tsx";
import { fill } from "../../../../texts/fill.ts";
import { moved, without } from "../common/order.ts";
import { operatorText } from "../common/operator_texts.ts";
import { partText } from "../common/params.ts";
import { RowButtons } from "../common/row_buttons.tsx";
import { texts as common } from "../common/texts.ts";
import type { Rule, RuleSet, Side } from "./policy.ts";
import { hasValue, ruleText } from "./rules.ts";
import { texts } from "./texts.ts";
import type { Tools } from "./tools.ts";

interface RuleListProps {
  readonly side: Side;
  readonly set: RuleSet;
  readonly maySave: boolean;
  readonly tools: Tools;
}

/** The rules of a set in their order. */
export function RuleList({ side, set, maySave, tools }: RuleListProps): JSX.Element {
  const { value: text } = texts;
  const { rules = [] } = set;
  const save = (done: string, name: string, changed: readonly Rule[]) =>
    tools.make(fill(done, { name }), () => tools.policy.saveSet(set, { ...set, rules: changed }));
  if (rules.length === 0) return <p class="dim">{text.noRules}</p>;
  return (
    <ol class="rule-list">
      {rules.map((rule, index) => {
        const name = ruleText(rule);
        const { isOn = false, param = "", operator = "", value = "" } = rule;
        const switched = { ...rule, isOn: !isOn };
        return (
          <li key={rule.id} class="rule-line">
            <span class="rule-text" title={rule.description || undefined}>
              {partText(param)} <span class="dim">{operatorText(operator)}</span>{" "}
              {hasValue(operator) && <code>{value}</code>}
            </span>
            {!isOn && <State kind="idle" text={common.value.off} />}
            <span class="sp" />
            {maySave && (
              <RowButtons
                name={name}
                isOn={isOn}
                isFirst={index === 0}
                isLast={index === rules.length - 1}
                onMove={(step) => save(common.value.isMoved, name, moved(rules, index, step))}
                onSwitch={() => save(isOn ? common.value.isOff : common.value.isOn, name, rules.with(index, switched))}
                onEdit={() => tools.open({ what: "rule", side, set, index })}
                onRemove={() =>
                  tools.open({
                    what: "remove",
                    name,
                    help: text.removeRuleHelp,
                    act: () => save(common.value.isRemoved, name, without(rules, index)),
                  })}
              />
            )}
          </li>
        );
      })}
    </ol>
  );
}
