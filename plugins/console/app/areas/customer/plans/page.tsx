import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { listOf } from "../../../parts/lists/list_of.ts";
import { Failure } from "../../../parts/failure.tsx";
import { useLoaded } from "../../../parts/loaded.ts";
import { Skeleton } from "../../../parts/skeleton.tsx";
import { mayCall } from "../../../shell/state.ts";
import { moneyText } from "../../../texts/amounts.ts";
import { MoneyDialog } from "../billing/money_dialog.tsx";
import type { Plan } from "../../../parts/money/models.ts";
import type { UserPlan } from "../models.ts";
import { balanceOf } from "../reader.ts";
import { BuyDialog } from "./buy_dialog.tsx";
import { contentTexts, priceTexts } from "../../../parts/money/plan_words.ts";
import { OwnedPlans } from "./owned.tsx";
import { Packages } from "./packages.tsx";
import { texts } from "./texts.ts";

const PAGE = { offset: 0n, size: 1000n };

/** The plans of a customer, those on offer, and traffic packages. */
export default function PlansPage(): JSX.Element {
  const [buying, setBuying] = useState<Plan>();
  const [missing, setMissing] = useState<number>();
  const loaded = useLoaded(async (signal) => {
    const [offers, owned, balance] = await Promise.all([
      listOf<Plan>("PlanService/findAllAvailablePlans", "plans", {}, signal),
      listOf<UserPlan>("UserPlanService/listEnabledUserPlans", "userPlans", PAGE, signal),
      balanceOf(signal),
    ]);
    return { offers, owned, balance };
  }, []);
  const { value: text } = texts;
  const { value, error, reload } = loaded;
  return (
    <>
      <div class="head">
        <h1>{text.title}</h1>
        <span class="sp" />
        {value?.balance && (
          <span class="balance">
            {text.balance} <b>{moneyText(value.balance.total)}</b>
          </span>
        )}
        {mayCall("UserOrderService/createUserOrder") && (
          <button type="button" class="btn" onClick={() => setMissing(0)}>{text.addMoney}</button>
        )}
      </div>
      {error !== undefined && <Failure error={error} onRetry={reload} />}
      {value === undefined && error === undefined && <Skeleton rows={8} />}
      {value !== undefined && (
        <>
          <OwnedPlans plans={value.owned} offers={value.offers} balance={value.balance} {...{ reload, setMissing }} />
          <h2 class="section">{text.onOffer}</h2>
          {value.offers.length === 0 && <p class="panel empty">{text.noOffers}</p>}
          <div class="offers">
            {value.offers.map((plan) => <Offer key={plan.id} plan={plan} onBuy={() => setBuying(plan)} />)}
          </div>
        </>
      )}
      {mayCall("UserTrafficPackageService/listUserTrafficPackages") && (
        <Packages balance={value?.balance} onPaid={reload} onMissing={setMissing} />
      )}
      {buying && (
        <BuyDialog
          plan={buying}
          balance={value?.balance}
          onDone={reload}
          onClose={() => setBuying(undefined)}
          onMissing={setMissing}
        />
      )}
      {missing !== undefined && <MoneyDialog amount={missing} onClose={() => setMissing(undefined)} onPaid={reload} />}
    </>
  );
}

function Offer({ plan, onBuy }: { plan: Plan; onBuy: () => void }): JSX.Element {
  const [first, ...others] = priceTexts(plan);
  return (
    <article class="panel offer">
      <h3>{plan.name}</h3>
      <p class="price">{first}</p>
      {others.map((price) => <p key={price} class="dim">{price}</p>)}
      {plan.description !== "" && <p>{plan.description}</p>}
      <ul>
        {contentTexts(plan).map((line) => <li key={line}>{line}</li>)}
      </ul>
      {mayCall("UserPlanService/buyUserPlan") && (
        <button type="button" class="btn primary" aria-label={`${texts.value.buy} ${plan.name}`} onClick={onBuy}>
          {texts.value.buy}
        </button>
      )}
    </article>
  );
}
