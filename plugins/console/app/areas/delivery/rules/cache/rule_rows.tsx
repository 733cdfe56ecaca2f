import type { JSX } from "preact";
import { State } from "../../../../parts/state.tsx";
import { fill } from "../../../../texts/fill.ts";
import { count } from "../../../../texts/mod.ts";
import { amountText } from "../common/amounts.tsx";
import { RowButtons } from "../common/row_buttons.tsx";
import { texts as common } from "../common/texts.ts";
import { matchText, sizeText } from "./kinds.ts";
import type { CacheRef } from "./refs.ts";
import { texts } from "./texts.ts";

interface RuleRowsProps {
  readonly rules: readonly CacheRef[];
  readonly mayChange: boolean;
  readonly onMove: (index: number, step: -1 | 1) => void;
  readonly onSwitch: (index: number) => void;
  readonly onEdit: (index: number) => void;
  readonly onRemove: (index: number) => void;
}

/** The rules of a policy in their order: what each caches, and how. */
export function RuleRows({ rules, mayChange, onMove, onSwitch, onEdit, onRemove }: RuleRowsProps): JSX.Element {
  const { value: text } = texts;
  return (
    <div class="scroll">
      <table class="list rule-rows">
        <thead>
          <tr>
            <th class="num">#</th>
            <th>{text.matches}</th>
            <th>{text.life}</th>
            <th>{text.sizes}</th>
            <th>{text.state}</th>
            <th>
              <span class="hidden">{common.value.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule, index) => (
            <tr key={index}>
              <td class="num">{count(index + 1)}</td>
              <td class="matches">{matchText(rule)}</td>
              <td>{amountText(rule.life) ?? <span class="dim">{text.nodeDefault}</span>}</td>
              <td>{sizeText(rule)}</td>
              <td>
                <State kind={rule.isOn ? "ok" : "idle"} text={rule.isOn ? common.value.on : common.value.off} />
              </td>
              <td class="row-actions">
                {mayChange && (
                  <RowButtons
                    name={fill(text.ruleOf, { number: index + 1 })}
                    isOn={rule.isOn === true}
                    isFirst={index === 0}
                    isLast={index === rules.length - 1}
                    onMove={(step) => onMove(index, step)}
                    onSwitch={() => onSwitch(index)}
                    onEdit={() => onEdit(index)}
                    onRemove={() => onRemove(index)}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
