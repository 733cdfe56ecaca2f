import type { JSX } from "preact";
import { State } from "../../../../parts/state.tsx";
import { mayCall } from "../../../../shell/state.ts";
import { fill } from "../../../../texts/fill.ts";
import { inTurn } from "../common/changes.tsx";
import { moved, without } from "../common/order.ts";
import { RowButtons } from "../common/row_buttons.tsx";
import { texts as common } from "../common/texts.ts";
import { actionText } from "./actions.ts";
import { SAVE_SET, UPDATE_SETS } from "./changes.ts";
import { type Group, isSame, type PlacedSet, type SetRef, type Side } from "./policy.ts";
import { RuleList } from "./rule_list.tsx";
import { texts } from "./texts.ts";
import type { Tools } from "./tools.ts";

interface SetCardProps {
  readonly side: Side;
  readonly group: Group;
  readonly index: number;
  /** The number of sets of the group. */
  readonly count: number;
  readonly placed: PlacedSet;
  readonly tools: Tools;
}

/** A set with its rules and its actions. */
export function SetCard({ side, group, index, count, placed, tools }: SetCardProps): JSX.Element {
  const { set, isOn } = placed;
  const { name = "", actions = [], rules = [] } = set;
  const { value: text } = texts;
  const refs = group.setRefs ?? [];
  const at = refs.findIndex(({ setId }) => isSame(setId, set.id ?? 0));
  const saveRefs = (done: string, setRefs: readonly SetRef[]) =>
    tools.make(fill(done, { name }), () => tools.policy.saveSets(group, setRefs));
  const switchSet = () => {
    const switched = () => tools.policy.saveSet(set, { ...set, isOn: !isOn });
    if (isOn) return tools.make(fill(common.value.isOff, { name }), switched);
    // the set, or its place in this group, or both are off
    const place = () => tools.policy.saveSets(group, refs.with(at, { ...refs[at]!, isOn: true }));
    const acts = [...set.isOn ? [] : [switched], ...refs[at]!.isOn ? [] : [place]];
    return tools.make(fill(common.value.isOn, { name }), () => inTurn(acts));
  };
  const mayPlace = mayCall(UPDATE_SETS);
  const maySave = mayCall(SAVE_SET);
  return (
    <section class="rule-set" aria-label={name}>
      <div class="rule-line">
        <h4>{name}</h4>
        <State kind={isOn ? "ok" : "idle"} text={isOn ? common.value.on : common.value.off} />
        {rules.length > 1 && <span class="dim">{set.connector === "and" ? text.allOf : text.oneOf}</span>}
        <span class="sp" />
        <RowButtons
          name={name}
          isOn={isOn}
          isFirst={index === 0}
          isLast={index === count - 1}
          onMove={mayPlace ? (step) => saveRefs(common.value.isMoved, moved(refs, at, step)) : undefined}
          onSwitch={maySave ? switchSet : undefined}
          onEdit={maySave ? () => tools.open({ what: "set", side, group, set }) : undefined}
          onRemove={mayPlace
            ? () =>
              tools.open({
                what: "remove",
                name,
                help: text.removeSetHelp,
                act: () => saveRefs(common.value.isRemoved, without(refs, at)),
              })
            : undefined}
        />
      </div>
      <RuleList side={side} set={set} maySave={maySave} tools={tools} />
      <div class="rule-line">
        <span class="arrow" aria-hidden="true">→</span>
        {actions.length === 0 && <span class="dim">{text.noActions}</span>}
        {actions.map(({ code }, place) => <span key={place} class="rule-action">{actionText(code)}</span>)}
        <span class="sp" />
        {maySave && (
          <button
            type="button"
            class="btn quiet add"
            aria-label={fill(text.addTo, { action: text.addRule, name })}
            onClick={() => tools.open({ what: "rule", side, set, index: rules.length })}
          >
            + {text.addRule}
          </button>
        )}
      </div>
    </section>
  );
}
