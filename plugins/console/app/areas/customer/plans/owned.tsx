import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { callPath } from "../../../shell/call.ts";
import { linkTo } from "../../../shell/route.ts";
import { mayCall } from "../../../shell/state.ts";
import { fill } from "../../../texts/fill.ts";
import type { Plan } from "../../../parts/money/models.ts";
import type { UserPlan } from "../models.ts";
import { PlanState } from "../plan_state.tsx";
import type { Balance } from "../reader.ts";
import { BuyDialog } from "./buy_dialog.tsx";
import { texts } from "./texts.ts";

interface OwnedPlansProps {
  readonly plans: readonly UserPlan[];
  readonly offers: readonly Plan[];
  readonly balance: Balance | undefined;
  readonly reload: () => void;
  readonly setMissing: (amount: number) => void;
}

/** The plans that the customer has, with what can be done with them. */
export function OwnedPlans({ plans, offers, balance, reload, setMissing }: OwnedPlansProps): JSX.Element {
  const [renewing, setRenewing] = useState<UserPlan>();
  const [removing, setRemoving] = useState<UserPlan>();
  const { value: text } = texts;
  const offerOf = ({ plan }: UserPlan) => offers.find(({ id }) => id === plan?.id);
  const offer = renewing && offerOf(renewing);
  return (
    <section class="panel">
      <h2 class="title">{text.yours}</h2>
      {plans.length === 0 && <p class="empty">{text.none}</p>}
      {plans.length > 0 && (
        <table class="list">
          <thead>
            <tr>
              <th>{text.name}</th>
              <th>{text.ends}</th>
              <th>{text.sites}</th>
              <th>
                <span class="hidden">{text.renew}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {plans.map((plan) => (
              <tr key={plan.id}>
                <td class="first">
                  {plan.name} {plan.plan && plan.plan.name !== plan.name && <span class="dim">{plan.plan.name}</span>}
                </td>
                <td>
                  <PlanState plan={plan} />
                </td>
                <td>
                  {plan.servers.map(({ id, name }) => (
                    <a key={id} class="link" href={linkTo(["resource", "Server", id])}>{name}</a>
                  ))}
                </td>
                <td class="buttons">
                  {offerOf(plan) && mayCall("UserPlanService/renewUserPlan") && (
                    <button
                      type="button"
                      class="btn"
                      aria-label={`${text.renew} ${plan.name}`}
                      onClick={() => setRenewing(plan)}
                    >
                      {text.renew}
                    </button>
                  )}
                  {mayCall("UserPlanService/deleteUserPlan") && (
                    <button
                      type="button"
                      class="btn quiet"
                      aria-label={`${text.remove} ${plan.name}`}
                      onClick={() => setRemoving(plan)}
                    >
                      {text.remove}
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {renewing && offer && (
        <BuyDialog
          plan={offer}
          renewing={renewing}
          balance={balance}
          onDone={reload}
          onClose={() => setRenewing(undefined)}
          onMissing={setMissing}
        />
      )}
      {removing && (
        <ActionDialog
          title={`${text.remove}: ${removing.name}`}
          action={text.remove}
          isDangerous
          onAct={async () => {
            await callPath("UserPlanService/deleteUserPlan", { userPlanId: removing.id });
            reload();
          }}
          onClose={() => setRemoving(undefined)}
        >
          <p>{fill(text.removeHelp, { name: removing.name })}</p>
        </ActionDialog>
      )}
    </section>
  );
}
