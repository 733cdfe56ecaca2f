import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../../parts/action_dialog.tsx";
import { Failure } from "../../../../parts/failure.tsx";
import { Skeleton } from "../../../../parts/skeleton.tsx";
import type { ObjectProps } from "../../../../shell/area.ts";
import { fill } from "../../../../texts/fill.ts";
import { useChanges } from "../common/changes.tsx";
import { useFresh } from "../common/fresh.ts";
import { texts as common } from "../common/texts.ts";
import { PolicyChanges } from "./changes.ts";
import type { Doing } from "./doing.ts";
import { GroupDialog } from "./group_dialog.tsx";
import { InspectionSection } from "./inspection.tsx";
import { allGroups, loadPolicy, SIDES } from "./policy.ts";
import { RuleDialog } from "./rule_dialog.tsx";
import { SetDialog } from "./set_dialog.tsx";

/** The groups, sets and rules by which a policy inspects requests and responses. */
export default function FirewallRulesPanel({ id }: ObjectProps): JSX.Element {
  const [doing, setDoing] = useState<Doing>();
  const loaded = useFresh((signal) => loadPolicy(id, signal));
  const changes = useChanges(loaded.refresh);
  if (loaded.error !== undefined) return <Failure error={loaded.error} onRetry={loaded.reload} />;
  if (loaded.value === undefined) return <Skeleton rows={6} />;
  const policy = loaded.value;
  const tools = { policy: new PolicyChanges(id), make: changes.make, open: setDoing };
  const dialog = {
    changes: tools.policy,
    onClose: () => setDoing(undefined),
    onDone: changes.settle,
  };
  return (
    <>
      {SIDES.map((side) => <InspectionSection key={side} side={side} inspection={policy[side]} tools={tools} />)}
      {changes.notice}
      {doing?.what === "group" && (
        <GroupDialog {...dialog} side={doing.side} inspection={doing.inspection} group={doing.group} />
      )}
      {doing?.what === "set" && (
        <SetDialog
          {...dialog}
          group={doing.group}
          groups={allGroups(policy)}
          set={doing.set}
        />
      )}
      {doing?.what === "rule" && <RuleDialog {...dialog} side={doing.side} set={doing.set} index={doing.index} />}
      {doing?.what === "remove" && (
        <ActionDialog
          title={fill(common.value.removeTitle, { name: doing.name })}
          action={common.value.remove}
          isDangerous
          onAct={doing.act}
          onClose={dialog.onClose}
        >
          <p>{doing.help}</p>
          <p>{common.value.removeHelp}</p>
        </ActionDialog>
      )}
    </>
  );
}
