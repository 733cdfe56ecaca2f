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
import { CREATE, findMethod, REMOVE, UPDATE } from "./method.ts";
import { MethodForm } from "./method_form.tsx";
import { texts } from "./texts.ts";

/** The form of a payment method; without an id, that of a new one. */
export function MethodPage({ id }: { id: bigint | undefined }): JSX.Element {
  const [round, setRound] = useState(0);
  const [isRemoving, setRemoving] = useState(false);
  const found = useLoaded(async (signal) => ({
    round,
    method: id === undefined ? undefined : await findMethod(id, signal),
  }), [id, round]);
  const { value: text } = texts;
  if (found.error !== undefined) return <Failure error={found.error} onRetry={found.reload} />;
  if (found.value === undefined) return <Skeleton rows={6} />;
  const { method } = found.value;
  if (id === undefined ? !mayCall(CREATE) : method === undefined) return <NotFound />;
  return (
    <>
      <div class="head">
        <h1>{method === undefined ? text.add : method.name}</h1>
        <span class="sp" />
        {method !== undefined && mayCall(REMOVE) && (
          <button type="button" class="btn" onClick={() => setRemoving(true)}>{text.remove}</button>
        )}
      </div>
      <MethodForm
        key={found.value.round}
        method={method}
        isReadOnly={!mayCall(method === undefined ? CREATE : UPDATE)}
        onSaved={(saved) => id === undefined ? goTo(linkTo(["payment-methods", saved])) : found.reload()}
        onReload={() => setRound(round + 1)}
      />
      {isRemoving && method !== undefined && (
        <ActionDialog
          title={`${text.remove}: ${method.name}`}
          action={text.remove}
          isDangerous
          onAct={async () => {
            await callPath(REMOVE, { orderMethodId: method.id });
            goTo(linkTo(["payment-methods"]));
          }}
          onClose={() => setRemoving(false)}
        >
          <p>{fill(text.removeHelp, { name: method.name })}</p>
        </ActionDialog>
      )}
    </>
  );
}
