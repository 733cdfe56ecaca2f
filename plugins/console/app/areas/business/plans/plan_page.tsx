import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { NotFound } from "../../../parts/not_found.tsx";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { callPath } from "../../../shell/call.ts";
import { goTo, linkTo } from "../../../shell/route.ts";
import { mayCall } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import { CREATE, findPlan, REMOVE, UPDATE } from "./plan.ts";
import { PlanForm } from "./plan_form.tsx";
import { texts } from "./texts.ts";

/** The form of a plan; without an id, that of a new one. */
export function PlanPage({ id }: { id: bigint | undefined }): JSX.Element {
  const [round, setRound] = useState(0);
  const [isRemoving, setRemoving] = useState(false);
  const found = useLoaded(async (signal) => ({
    round,
    plan: id === undefined ? undefined : await findPlan(id, signal),
  }), [id, round]);
  const { value: text } = texts;
  if (found.error !== undefined) return <Failure error={found.error} onRetry={found.reload} />;
  if (found.value === undefined) return <Skeleton rows={8} />;
  const { plan } = found.value;
  if (id === undefined ? !mayCall(CREATE) : plan === undefined) return <NotFound />;
  return (
    <>
      <div class="head">
        <h1>{plan === undefined ? text.add : plan.name}</h1>
        <span class="sp" />
        {plan !== undefined && mayCall(REMOVE) && (
          <button type="button" class="btn" onClick={() => setRemoving(true)}>{text.remove}</button>
        )}
      </div>
      <PlanForm
        key={found.value.round}
        plan={plan}
        isReadOnly={!mayCall(plan === undefined ? CREATE : UPDATE)}
        onSaved={(saved) => id === undefined ? goTo(linkTo(["plans", saved])) : found.reload()}
        onReload={() => setRound(round + 1)}
      />
      {isRemoving && plan !== undefined && (
        <ActionDialog
          title={`${text.remove}: ${plan.name}`}
          action={text.remove}
          isDangerous
          onAct={async () => {
            await callPath(REMOVE, { planId: plan.id });
            goTo(linkTo(["plans"]));
          }}
          onClose={() => setRemoving(false)}
        >
          <p>{fill(text.removeHelp, { name: plan.name })}</p>
        </ActionDialog>
      )}
    </>
  );
}
