import type { JSX } from "preact";
import { State } from "../../../../parts/state.tsx";
import { mayCall } from "../../../../shell/state.ts";
import { fill } from "../../../../texts/fill.ts";
import { texts as common } from "../common/texts.ts";
import { CREATE_GROUP, UPDATE_GROUPS } from "./changes.ts";
import { GroupCard } from "./group_card.tsx";
import { groupsOf, type Inspection, type Side } from "./policy.ts";
import { texts } from "./texts.ts";
import type { Tools } from "./tools.ts";

interface InspectionProps {
  readonly side: Side;
  readonly inspection: Inspection;
  readonly tools: Tools;
}

/** The inspection of requests or of responses, with its groups. */
export function InspectionSection({ side, inspection, tools }: InspectionProps): JSX.Element {
  const { value: text } = texts;
  const { isOn = false } = inspection;
  const groups = groupsOf(inspection);
  const name = `${text[side]} – ${text.inspection}`;
  const switchIt = () =>
    tools.make(
      fill(isOn ? common.value.isOff : common.value.isOn, { name }),
      () => tools.policy.saveInspection(side, inspection, { ...inspection, isOn: !isOn }),
    );
  const action = isOn ? common.value.turnOff : common.value.turnOn;
  return (
    <section class="panel rules" aria-label={text[side]}>
      <div class="bar">
        <h2>{text[side]}</h2>
        <State kind={isOn ? "ok" : "idle"} text={isOn ? common.value.on : common.value.off} />
        <span class="sp" />
        {mayCall(UPDATE_GROUPS) && (
          <button
            type="button"
            class="btn"
            aria-label={fill(common.value.of, { action, name })}
            onClick={switchIt}
          >
            {action}
          </button>
        )}
        {mayCall(UPDATE_GROUPS) && mayCall(CREATE_GROUP) && (
          <button
            type="button"
            class="btn"
            aria-label={fill(common.value.of, { action: text.addGroup, name: text[side] })}
            onClick={() => tools.open({ what: "group", side, inspection })}
          >
            {text.addGroup}
          </button>
        )}
      </div>
      {groups.length === 0
        ? <p class="empty">{side === "inbound" ? text.noneInbound : text.noneOutbound}</p>
        : <p class="rule-help">{isOn ? fill(text.inspects, { side: text[side] }) : text.inspectsNot}</p>}
      {groups.map((placed, index) => (
        <GroupCard
          key={placed.group.id}
          side={side}
          inspection={inspection}
          index={index}
          count={groups.length}
          placed={placed}
          tools={tools}
        />
      ))}
    </section>
  );
}
