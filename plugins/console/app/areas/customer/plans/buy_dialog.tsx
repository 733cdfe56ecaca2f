import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { ActionDialog } from "../../../parts/action_dialog.tsx";
import { TextInput } from "../../../parts/text_input.tsx";
import { callPath } from "../../../shell/call.ts";
import { fill } from "../../../texts/fill.ts";
import { moneyText } from "../../../texts/amounts.ts";
import type { Plan } from "../../../parts/money/models.ts";
import type { UserPlan } from "../models.ts";
import type { Balance } from "../reader.ts";
import { type Period, pricesOf } from "../../../parts/money/plan_words.ts";
import { texts as words } from "../../../parts/money/texts.ts";
import { Sum } from "./sum.tsx";
import { texts } from "./texts.ts";

interface BuyDialogProps {
  readonly plan: Plan;
  /** The plan of the customer that is renewed; without one, the plan is bought. */
  readonly renewing?: UserPlan;
  readonly balance: Balance | undefined;
  readonly onDone: () => void;
  readonly onClose: () => void;
  /** Called with the amount that the balance lacks, to add it. */
  readonly onMissing: (amount: number) => void;
}

const MAX_PERIODS = 1200;

/** Buys or renews a plan: for how long, and what it costs before the button. */
export function BuyDialog({ plan, renewing, balance, onDone, onClose, onMissing }: BuyDialogProps): JSX.Element {
  const prices = pricesOf(plan);
  const [period, setPeriod] = useState<Period | "">(prices[0]?.period ?? "");
  const [count, setCount] = useState("1");
  const [name, setName] = useState(renewing?.name ?? plan.name);
  const [dayTo, setDayTo] = useState("");
  const { value: text } = texts;
  const isPrepaid = plan.priceType === "period";
  const price = prices.find((one) => one.period === period)?.price ?? 0;
  const countPeriod = Math.min(MAX_PERIODS, Math.max(1, Math.trunc(Number(count)) || 1));
  const total = isPrepaid ? price * countPeriod : 0;
  const lacks = balance === undefined ? 0 : total - balance.total;
  async function act(): Promise<void> {
    const term = isPrepaid ? { period, countPeriod } : { dayTo };
    await (renewing === undefined
      ? callPath("UserPlanService/buyUserPlan", { planId: plan.id, name, ...term })
      : callPath("UserPlanService/renewUserPlan", { userPlanId: renewing.id, ...term }));
    onDone();
  }
  const action = fill(renewing === undefined ? text.buyPlan : text.renewPlan, { name: renewing?.name ?? plan.name });
  return (
    <ActionDialog title={action} action={action} isDisabled={lacks > 0} onAct={act} onClose={onClose}>
      {isPrepaid && (
        <>
          <fieldset class="choices">
            <legend>{text.period}</legend>
            {prices.map((one) => (
              <label key={one.period} class="choice">
                <input
                  type="radio"
                  name="period"
                  checked={one.period === period}
                  onChange={() => setPeriod(one.period)}
                />
                {words.value[one.period]}
                <span class="sp">{moneyText(one.price)}</span>
              </label>
            ))}
          </fieldset>
          <div class="field">
            <label for="plan-count">{text.count}</label>
            <input
              id="plan-count"
              type="number"
              min={1}
              max={MAX_PERIODS}
              value={count}
              onInput={(event) => setCount(event.currentTarget.value)}
            />
          </div>
        </>
      )}
      {!isPrepaid && (
        <div class="field">
          <label for="plan-day">{text.lastDay}</label>
          <input
            id="plan-day"
            type="date"
            required
            value={dayTo}
            onInput={(event) => setDayTo(event.currentTarget.value)}
          />
          <p class="help">{text.paidLater}</p>
        </div>
      )}
      {renewing === undefined && (
        <div class="field">
          <label for="plan-name">{text.label}</label>
          <TextInput id="plan-name" isSecret={false} autocomplete="off" value={name} onInput={setName} />
        </div>
      )}
      {isPrepaid && (
        <Sum
          total={total}
          balance={balance}
          onMissing={(amount) => {
            onClose();
            onMissing(amount);
          }}
        />
      )}
    </ActionDialog>
  );
}
