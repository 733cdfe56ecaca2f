import type { JSX } from "preact";
import { State } from "../../../../parts/state.tsx";
import { mayCall } from "../../../../shell/state.ts";
import { fill } from "../../../../texts/fill.ts";
import { inTurn } from "../common/changes.tsx";
import { moved, without } from "../common/order.ts";
import { RowButtons } from "../common/row_buttons.tsx";
import { texts as common } from "../common/texts.ts";
import { ADD_SET, UPDATE_GROUP, UPDATE_GROUPS } from "./changes.ts";
import { type GroupRef, type Inspection, isSame, type PlacedGroup, setsOf, type Side } from "./policy.ts";
import { SetCard } from "./set_card.tsx";
import { texts } from "./texts.ts";
import type { Tools } from "./tools.ts";

interface GroupCardProps {
  readonly side: Side;
  readonly inspection: Inspection;
  readonly index: number;
  /** The number of groups of the inspection. */
  readonly count: number;
  readonly placed: PlacedGroup;
  readonly tools: Tools;
}

/** A group with its sets, and what the reader may do with it. */
export function GroupCard({ side, inspection, index, count, placed, tools }: GroupCardProps): JSX.Element {
  const { group, isOn } = placed;
  const { name = "" } = group;
  const { value: text } = texts;
  const refs = inspection.groupRefs ?? [];
  const at = refs.findIndex(({ groupId }) => isSame(groupId, group.id));
  const saveRefs = (done: string, groupRefs: readonly GroupRef[]) =>
    tools.make(
      fill(done, { name }),
      () => tools.policy.saveInspection(side, inspection, { ...inspection, groupRefs }),
    );
  const switchGroup = () => {
    const switched = () => tools.policy.saveGroup(group, { ...group, isOn: !isOn });
    if (isOn) return tools.make(fill(common.value.isOff, { name }), switched);
    // the group, or its place in this policy, or both are off
    const groupRefs = refs.with(at, { ...refs[at]!, isOn: true });
    const place = () => tools.policy.saveInspection(side, inspection, { ...inspection, groupRefs });
    const acts = [...group.isOn ? [] : [switched], ...refs[at]!.isOn ? [] : [place]];
    return tools.make(fill(common.value.isOn, { name }), () => inTurn(acts));
  };
  const sets = setsOf(group);
  const mayPlace = mayCall(UPDATE_GROUPS);
  return (
    <section class="rule-group" aria-label={name}>
      <div class="rule-line">
        <h3>{name}</h3>
        <State kind={isOn ? "ok" : "idle"} text={isOn ? common.value.on : common.value.off} />
        <span class="dim">{group.description}</span>
        <span class="sp" />
        <RowButtons
          name={name}
          isOn={isOn}
          isFirst={index === 0}
          isLast={index === count - 1}
          onMove={mayPlace ? (step) => saveRefs(common.value.isMoved, moved(refs, at, step)) : undefined}
          onSwitch={mayCall(UPDATE_GROUP) ? switchGroup : undefined}
          onEdit={mayCall(UPDATE_GROUP) ? () => tools.open({ what: "group", side, inspection, group }) : undefined}
          onRemove={mayPlace
            ? () =>
              tools.open({
                what: "remove",
                name,
                help: text.removeGroupHelp,
                act: () => saveRefs(common.value.isRemoved, without(refs, at)),
              })
            : undefined}
        />
      </div>
      {sets.length === 0 && <p class="dim">{text.noSets}</p>}
      {sets.map((placedSet, place) => (
        <SetCard
          key={placedSet.set.id}
          side={side}
          group={group}
          index={place}
          count={sets.length}
          placed={placedSet}
          tools={tools}
        />
      ))}
      {mayCall(ADD_SET) && (
        <button
          type="button"
          class="btn quiet add"
          aria-label={fill(text.addTo, { action: text.addSet, name })}
          onClick={() => tools.open({ what: "set", side, group })}
        >
          + {text.addSet}
        </button>
      )}
    </section>
  );
}
